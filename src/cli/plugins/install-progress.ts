/** How far an install is, on a terminal's stderr; quiet when piped (INS-11). */
import type { App } from "../../plugins/app.ts";
import type { InstallProgress } from "../../plugins/install.ts";
import { progressReporter } from "../progress.ts";

const LABELS = { download: "Fetching", verify: "Verifying", unpack: "Unpacking", activate: "Activating" } as const;

/** Runs the work with a reporter for its events; the line is gone when the work ends, whatever the end. */
export async function withProgress<T>(
  app: App,
  work: (onProgress: (event: InstallProgress) => void) => Promise<T>,
): Promise<T> {
  const progress = progressReporter(app.ports.terminal);
  let fetched = 0;
  try {
    return await work(({ stage, done, total }) => {
      if (stage === "download") {
        fetched = done;
        progress.update(LABELS.download, done, total);
      } else progress.update(LABELS[stage], fetched, fetched);
    });
  } finally {
    progress.done();
  }
}
