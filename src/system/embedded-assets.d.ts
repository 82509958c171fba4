/** Files that are imported by path and compiled into the binary: the import is their path. */
declare module "*.sig" {
  const path: string;
  export = path;
}
declare module "*.pub" {
  const path: string;
  export = path;
}
declare module "*.gz" {
  const path: string;
  export = path;
}
declare module "*.md" {
  const path: string;
  export = path;
}
declare module "*.svg" {
  const path: string;
  export = path;
}
