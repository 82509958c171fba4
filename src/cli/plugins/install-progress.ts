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
  try {
    return await work(({ stage, done, total }) => {
      if (stage === "download") progress.update(LABELS.download, { unit: "bytes", done, total });
      // How many files there are is known at the end only.
      else if (stage === "unpack") progress.update(LABELS.unpack, { unit: "files", done });
      else progress.update(LABELS[stage]);
    });
  } finally {
    progress.done();
  }
}
