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
  ])("%s: %s is masked wherever it stands", (name, word) => {
    expect(redactCredentials(`before ${word}, after`)).toBe(`before [REDACTED:${name}], after`);
    expect(redactCredentials(word)).toBe(`[REDACTED:${name}]`);
  });

  test.each([
    "sk-0123456789abcde",
    "ghp_0123456789abcde",
    "task-0123456789abcdef0123",
    "next_page_token",
    "the Bearer of news",
    "disk-usage-of-the-whole-machine-0001",
  ])("%s stays: too short, no word boundary, or a plain word", (words) => {
    expect(redactCredentials(words)).toBe(words);
  });
});
