/** The questions of a guided first run: which home, which vault, whether to link. Enter takes the careful answer. */
import { FermixError, isFermixError } from "../../kernel/error.ts";
import type { App } from "../../plugins/app.ts";
import { endOfInput, promptStreams } from "../prompt-streams.ts";
import { renderNotice } from "../render.ts";
import type { LinkPlan } from "./link.ts";
import { type PlacesAsked, SAMPLE, usableVault } from "./places.ts";

export interface Wishes extends PlacesAsked {
  readonly link: boolean;
}

export interface AskOptions {
  /** undefined when there is nothing to link, or something else is there. */
  readonly link: LinkPlan | undefined;
  readonly noColor: boolean;
  readonly signal: AbortSignal;
}

/** Asks on the terminal; nothing is changed yet. Throws quickstart_cancelled at Ctrl-C, Escape, the end of input or an abort. */
export async function askWishes(app: App, { link, noColor, signal }: AskOptions): Promise<Wishes> {
  const { confirm, intro, isCancel, outro, select, text } = await import("@clack/prompts");
  const streams = promptStreams(app.ports.terminal, { noColor });
  const answered = <T>(answer: T | symbol): Exclude<T, symbol> => {
    if (isCancel(answer)) throw new FermixError("quickstart_cancelled", {});
    return answer as Exclude<T, symbol>;
  };
  const common = { ...streams, signal: AbortSignal.any([signal, endOfInput(streams.input)]) };
  intro("A first run of Fermix: one plugin, proved and installed, and one search with it", streams);
  const home = answered(
    await select({
      ...common,
      message: "Which home shall it use?",
      options: [
        { value: "throwaway", label: "A throwaway one", hint: "a temp folder; nothing of yours is changed" },
        { value: "real", label: `My own, ${shown(app.home.root)}` },
      ],
    }),
  );
  const sample = home === "throwaway";
  const vault = answered(
    await text({
      ...common,
      message: sample
        ? "Which vault shall it search? A folder of notes, or Enter for a small sample"
        : "Which vault shall it search, and your agent use? A folder of notes",
      ...(sample ? { placeholder: SAMPLE, defaultValue: SAMPLE } : { placeholder: "~/Notes" }),
      validate: (typed) => refusalOf(typed, { sample, userHome: app.env.userHome }),
    }),
  );
  const linked =
    link !== undefined &&
    !link.linked &&
    answered(await confirm({ ...common, message: `Link ${shown(link.path)} to this binary?`, initialValue: !sample }));
  outro("Ctrl-C ends it at any time", streams);
  return { home, vault: sample && isSample(vault) ? undefined : vault, link: linked };
}

function isSample(typed: string): boolean {
  return typed === "" || typed === SAMPLE;
}

/** Why this vault cannot be taken, as one line under the question; undefined when it can. */
function refusalOf(
  typed: string | undefined,
  { sample, userHome }: { readonly sample: boolean; readonly userHome: string },
): string | undefined {
  const given = typed ?? "";
  if (sample && isSample(given)) return undefined;
  if (given === "") return "Your own home needs a vault of yours: type its folder.";
  try {
    usableVault(given, userHome);
    return undefined;
  } catch (error) {
    if (!isFermixError(error)) throw error;
    return shown(error.message);
  }
}

function shown(text: string): string {
  return renderNotice(text).trimEnd();
}
