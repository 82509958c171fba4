/**
 * A real browser that signs in: `browse.mjs URL OUT`, run by node inside the lab. Once it is gone, the file OUT has what its
 * last page showed, or why it came to none.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [, , address, out] = process.argv;
const profile = mkdtempSync(join(tmpdir(), "fermix-chromium-"));
let said;
let context;
try {
  context = await chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium",
    headless: true,
    // The lab's own authority is not among those of the browser.
    ignoreHTTPSErrors: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  const page = await context.newPage();
  const refused = [];
  page.on("console", (message) => refused.push(message.text()));
  await page.goto(address);
  await page.fill("input[name=login]", "ada");
  await page.fill("input[name=password]", "any");
  await page.click("button[type=submit]");
  await page.waitForSelector("text=Continue");
  await page.click("button[type=submit]");
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
  said = {
    url: page.url(),
    title: await page.title(),
    heading: await page.textContent("h1"),
    paragraphs: await page.locator("p").allTextContents(),
    width: await page.evaluate(() => document.body.getBoundingClientRect().width),
    cookies: await context.cookies(page.url()),
    // The page of Fermix keeps to its own policy.
    refused: refused.filter((text) => text.includes("Content Security Policy")),
  };
} catch (error) {
  said = { failed: String(error) };
} finally {
  await context?.close();
  rmSync(profile, { recursive: true, force: true });
}
writeFileSync(`${out}.new`, JSON.stringify(said));
renameSync(`${out}.new`, out);
