/** The real browser: handed the address by the system's own opener. */
import { accessSync, constants } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Browser } from "../kernel/ports.ts";

/** Where macOS has it; a program of this name in PATH could be anybody's. */
const MAC_OPENER = "/usr/bin/open";
const LINUX_OPENER = "xdg-open";
/** Some openers stay until the browser ends; one that could open nothing says so sooner. */
const PATIENCE_MS = 3000;
/** What a browser needs to find its screen, its user's settings and its running self. */
const PASSED_ON = [
  "BROWSER",
  "DBUS_SESSION_BUS_ADDRESS",
  "DESKTOP_SESSION",
  "DISPLAY",
  "HOME",
  "LANG",
  "PATH",
  "USER",
  "WAYLAND_DISPLAY",
  "WSL_DISTRO_NAME",
  "XAUTHORITY",
  "XDG_CONFIG_HOME",
  "XDG_CURRENT_DESKTOP",
  "XDG_DATA_DIRS",
  "XDG_RUNTIME_DIR",
  "XDG_SESSION_TYPE",
] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** The system's browser; on a machine without a screen or an opener, none takes the address. */
export function systemBrowser(
  variables: Variables = process.env,
  platform: string = process.platform,
  patienceMs: number = PATIENCE_MS,
): Browser {
  return {
    async open(url) {
      const command = platform === "darwin" ? MAC_OPENER : openerIn(variables);
      return command === undefined ? false : await start([command, url], passedOn(variables), patienceMs);
    },
  };
}

/**
 * Started without the guard that ends every other program's descendants with this process: the browser goes on. Its
 * environment is made from nothing, and its output goes nowhere.
 */
async function start(command: readonly string[], env: Record<string, string>, patienceMs: number): Promise<boolean> {
  try {
    const opener = Bun.spawn([...command], { env, cwd: "/", stdio: ["ignore", "ignore", "ignore"], detached: true });
    opener.unref();
    const { promise, resolve } = Promise.withResolvers<number>();
    const patience = setTimeout(resolve, patienceMs, 0);
    const exitCode = await Promise.race([opener.exited, promise]);
    clearTimeout(patience);
    return exitCode === 0;
  } catch {
    // It may not be run, or went away just now: the address is shown anyway.
    return false;
  }
}

function passedOn(variables: Variables): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** xdg-open on a machine with a screen; without one it would start a browser in the terminal, or hang. */
function openerIn(variables: Variables): string | undefined {
  const { DISPLAY, WAYLAND_DISPLAY, PATH = "" } = variables;
  if (!DISPLAY && !WAYLAND_DISPLAY) return undefined;
  const places = PATH.split(":").filter((folder) => isAbsolute(folder));
  return places.map((folder) => join(folder, LINUX_OPENER)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
