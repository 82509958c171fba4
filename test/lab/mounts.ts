/** A small disk of one's own: a tmpfs in a mount namespace, so that a disk can be full or read-only even for root. */

/** What this machine lacks for one, or undefined. In CI a lack is a failure; elsewhere the suite says it was not run. */
export function smallDiskMissing(): string | undefined {
  const lacking = ["unshare", "nsenter", "mount"].find((program) => Bun.which(program) === null);
  const missing = lacking ?? (process.getuid?.() === 0 ? undefined : "root (for a mount namespace)");
  if (missing !== undefined && process.env["CI"] !== undefined) throw new Error(`not run: ${missing} is missing`);
  return missing;
}

export class SmallDisk implements Disposable {
  readonly #folder: string;
  readonly #keeper: Bun.Subprocess<"pipe", "pipe", "inherit">;

  private constructor(folder: string, keeper: Bun.Subprocess<"pipe", "pipe", "inherit">) {
    this.#folder = folder;
    this.#keeper = keeper;
  }

  /** Mounts a tmpfs of this many KiB over an existing folder; only programs started `through` it see it. */
  static async over(folder: string, kib: number): Promise<SmallDisk> {
    const script = 'mount -t tmpfs -o "size=$1k,mode=700" tmpfs "$2" && echo up && cat';
    const keeper = Bun.spawn(["unshare", "-m", "sh", "-c", script, "sh", String(kib), folder], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    const { value } = await keeper.stdout.getReader().read();
    if (Buffer.from(value ?? []).toString() !== "up\n") throw new Error("the small disk could not be mounted");
    return new SmallDisk(folder, keeper);
  }

  /** Words before a command that shall see the disk. */
  get through(): readonly string[] {
    return ["nsenter", "-t", String(this.#keeper.pid), "-m", "--"];
  }

  /** Where the test, outside the namespace, sees the disk. */
  get seen(): string {
    return `/proc/${this.#keeper.pid}/root${this.#folder}`;
  }

  readOnly(on: boolean): void {
    const { exitCode, stderr } = Bun.spawnSync([
      ...this.through,
      ...["mount", "-o", on ? "remount,ro" : "remount,rw", this.#folder],
    ]);
    if (exitCode !== 0) throw new Error(stderr.toString());
  }

  [Symbol.dispose](): void {
    this.#keeper.stdin.end();
    this.#keeper.kill("SIGKILL");
  }
}
