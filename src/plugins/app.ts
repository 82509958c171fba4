/** What every use case is given: the ports, the home and the environment, each made once in `compose.ts`. */
import type { Environment } from "../config/env.ts";
import type { Home } from "../files/home.ts";
import type { Ports } from "../kernel/ports.ts";

export interface App {
  readonly ports: Ports;
  readonly home: Home;
  readonly env: Environment;
}
