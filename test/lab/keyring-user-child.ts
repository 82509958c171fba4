/** Answers the prompts of a keyring with the words of its command line, one after another; tells on stdout where it sits. */
import { openPrompter } from "./keyring-user.ts";

const prompter = openPrompter();
if (prompter === undefined) throw new Error("no prompter can be loaded");
const name = prompter.gcr_mock_prompter_start();
for (const answer of process.argv.slice(2)) {
  if (answer === "") prompter.gcr_mock_prompter_expect_password_cancel();
  else prompter.gcr_mock_prompter_expect_password_ok(Buffer.from(`${answer}\0`), null);
}
await Bun.write(Bun.stdout, `${name}\n`);
// Each line asks whether answers are left.
for await (const _ of Bun.stdin.stream()) {
  await Bun.write(Bun.stdout, `${prompter.gcr_mock_prompter_is_expecting() !== 0}\n`);
}
