/** The system's C library, for the few calls that Bun has no word for. */
import type { FFIFunction, Library } from "bun:ffi";

/** glibc, or musl by the names its builds have. */
const LINUX_NAMES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1", "libc.so"] as const;
const MACOS_NAMES = ["libSystem.B.dylib"] as const;

/** The given functions of the C library; undefined where there is none that can be loaded. */
export function openLibc<Functions extends Record<string, FFIFunction>>(
  functions: Functions,
): Library<Functions>["symbols"] | undefined {
  // Asked for here and not imported: every command loads this file, and hardly any needs it.
  const { dlopen } = process.getBuiltinModule("bun:ffi") as typeof import("bun:ffi");
  for (const name of process.platform === "darwin" ? MACOS_NAMES : LINUX_NAMES) {
    try {
      return dlopen(name, functions).symbols;
    } catch {
      // Not this one: the next name, or none at all, which the caller copes with.
    }
  }
  return undefined;
}
