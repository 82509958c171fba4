/** Every failure a user can reach, in one table: code, message, fix and exit class. Each area's rows are in `codes/`. */
import { agentCodes } from "./codes/agent.ts";
import { argumentCodes } from "./codes/arguments.ts";
import { catalogCodes } from "./codes/catalog.ts";
import { cliCodes } from "./codes/cli.ts";
import { configCodes } from "./codes/config.ts";
import { httpAnswerCodes } from "./codes/http-answers.ts";
import { keyCodes } from "./codes/keys.ts";
import { loginCodes } from "./codes/login.ts";
import { manifestCodes } from "./codes/manifest.ts";
import { modelCodes } from "./codes/models.ts";
import { nativeCodes } from "./codes/native.ts";
import { pluginCodes } from "./codes/plugins.ts";
import { railCodes } from "./codes/rails.ts";
import type { CodeRow } from "./codes/row.ts";
import { signInCodes } from "./codes/sign-in.ts";
import { storeCodes } from "./codes/store.ts";
import { trustCodes } from "./codes/trust.ts";

export const codes = {
  ...cliCodes,
  ...configCodes,
  ...manifestCodes,
  ...catalogCodes,
  ...trustCodes,
  ...storeCodes,
  ...keyCodes,
  ...signInCodes,
  ...loginCodes,
  ...modelCodes,
  ...pluginCodes,
  ...railCodes,
  ...httpAnswerCodes,
  ...argumentCodes,
  ...nativeCodes,
  ...agentCodes,
} as const;

export type FermixCode = keyof typeof codes;
/** What a throw of this code must carry. */
export type Details<Code extends FermixCode> = (typeof codes)[Code] extends CodeRow<infer D> ? D : never;
