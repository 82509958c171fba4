/** The composition root: the one place that joins the use cases with the real adapters in `system/`. */
import type { Frame } from "./cli/run.ts";
import { writeAnswer } from "./cli/write-answer.ts";
import { readEnvironment, wantsNoColor } from "./config/env.ts";
import { type Home, homeAt } from "./files/home.ts";
import type { Ports } from "./kernel/ports.ts";
import type { App } from "./plugins/app.ts";
import { systemBrowser } from "./system/browser.ts";
import { systemClock } from "./system/clock.ts";
import { systemDns } from "./system/dns.ts";
import { embeddedFiles } from "./system/embedded.ts";
import { compileOnceServing } from "./system/engine.ts";
import { systemHttp } from "./system/http.ts";
import { systemKeychain } from "./system/keychain.ts";
import { openLog } from "./system/log.ts";
import { systemLoopback } from "./system/loopback.ts";
import { systemProcesses } from "./system/processes.ts";
import { systemRandom } from "./system/random.ts";
import { openStdio } from "./system/stdio.ts";
import { systemTerminal } from "./system/terminal.ts";

/** The app of this process. Each port is made when it is first used. Throws home_unusable when no home is known. */
function composeApp(): App {
  const env = readEnvironment();
  const home = homeAt(env.fermixHome);
  return { env, home, ports: systemPorts(home) };
}

/** The command line of this process: the app is made when a verb runs, so that --help works without a home. */
export function composeFrame(): Frame {
  return { app: once(composeApp), answer: writeAnswer, terminal: systemTerminal(), noColor: wantsNoColor() };
}

function systemPorts(home: Home): Ports {
  const clock = once(systemClock);
  const random = once(systemRandom);
  const processes = once(systemProcesses);
  const keychain = once(() => systemKeychain(processes()));
  const browser = once(() => systemBrowser());
  const loopback = once(systemLoopback);
  const terminal = once(systemTerminal);
  const log = once(() => openLog(home.logFile));
  const stdio = once(() => {
    // Only a process that serves has a protocol pipe.
    compileOnceServing();
    return openStdio();
  });
  return {
    dns: systemDns,
    http: systemHttp,
    embedded: embeddedFiles,
    get stdio() {
      return stdio();
    },
    get clock() {
      return clock();
    },
    get random() {
      return random();
    },
    get processes() {
      return processes();
    },
    get keychain() {
      return keychain();
    },
    get browser() {
      return browser();
    },
    get loopback() {
      return loopback();
    },
    get terminal() {
      return terminal();
    },
    get log() {
      return log();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}
