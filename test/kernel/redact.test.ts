import { describe, expect, test } from "bun:test";
import { redactCredentials } from "../../src/kernel/redact.ts";

const SIXTEEN = "0123456789abcdef";

describe("credential-shaped words", () => {
  test.each([
    ["openai", `sk-${SIXTEEN}`],
    ["openai", `sk-ant-${SIXTEEN}`],
    ["github", `ghp_${SIXTEEN}`],
    ["github", `github_pat_${SIXTEEN}`],
    ["slack", `xoxb-${SIXTEEN}`],
    ["aws", "AKIA0123456789ABCDEF"],
    ["xai", `xai-${SIXTEEN}`],
    ["google", `AIza${SIXTEEN}`],
    ["telegram", `123456789:${"A".repeat(35)}`],
    ["bearer", `Bearer ${SIXTEEN}`],
  ])("RED-1/shapes %s: %s is masked wherever it stands", (name, word) => {
    expect(redactCredentials(`before ${word}, after`)).toBe(`before [REDACTED:${name}], after`);
    expect(redactCredentials(word)).toBe(`[REDACTED:${name}]`);
  });

  test.each([
    ["a JSON escape", `said\\nsk-${SIXTEEN}`, "said\\n[REDACTED:openai]"],
    ["a JSON escape of a quoted escape", `said\\u000axoxb-${SIXTEEN}`, "said\\u000a[REDACTED:slack]"],
    ["percent encoding", `key=%22ghp_${SIXTEEN}%22`, "key=%22[REDACTED:github]%22"],
    ["percent encoding, of the blank", `authorization=Bearer%20${SIXTEEN}`, "authorization=[REDACTED:bearer]"],
    [
      "the bot of an address",
      `https://api.telegram.org/bot123456789:${"A".repeat(35)}/getMe`,
      "https://api.telegram.org/bot[REDACTED:telegram]/getMe",
    ],
  ])("behind %s, the word begins all the same", (_, text, masked) => {
    expect(redactCredentials(text)).toBe(masked);
  });

  test.each([
    "sk-0123456789abcde",
    "ghp_0123456789abcde",
    "task-0123456789abcdef0123",
    "next_page_token",
    '{"next_page_token":"CAUQAA0123456789abcdef","nextPageToken":"~!!~AI9FV7Q0123456789abcdef"}',
    "Your token has expired; the secret of the desk is in task-list-0123456789abcdef",
    "the ratio is 123456:0123456789abcdef",
    "the Bearer of news",
    `robot123456789:${"A".repeat(35)}`,
    "disk-usage-of-the-whole-machine-0001",
  ])("RED-1/words-survive %s stays: too short, no word boundary, or a plain word", (words) => {
    expect(redactCredentials(words)).toBe(words);
  });
});
