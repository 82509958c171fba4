/** Compiles small programs exactly as Fermix is compiled: the floors that its figures are compared with. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMPILE_FLAGS, FLAGS } from "../../build.ts";

/** The executable of one source text, in the folder. */
export async function compileLikeFermix(folder: string, name: string, source: string): Promise<string> {
  const entry = join(folder, `${name}-entry.ts`);
  const outfile = join(folder, name);
  writeFileSync(entry, source);
  const built = await Bun.build({ entrypoints: [entry], ...FLAGS, compile: { outfile, ...COMPILE_FLAGS } });
  if (!built.success) throw new AggregateError(built.logs, `building ${name} failed`);
  return outfile;
}

export const HELLO_WORLD = 'console.log("hello");\nexport {};\n';

/** Hands the bytes of a client on to a server and back, and does nothing else. */
export function passThrough(server: readonly string[]): string {
  return `Bun.unsafe.setJITPolicy(1);
const child = Bun.spawn(${JSON.stringify(server)}, { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
void (async () => {
  for await (const chunk of child.stdout) process.stdout.write(chunk);
})();
for await (const chunk of Bun.stdin.stream()) {
  child.stdin.write(chunk);
  child.stdin.flush();
}
child.kill();
export {};
`;
}
