/**
 * The documentation's site in a browser, from files, as somebody without a network has it: the
 * search leads to a code, nothing breaks the policy of the pages, and all fits a phone.
 */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import { runOk } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";

describeReal("the site", ["chromium"], () => {
  let folder: TempFolder;
  let browser: Browser;
  const complaints: string[] = [];
  beforeAll(async () => {
    folder = makeTempFolder("site");
    const eleventy = resolve("node_modules/@11ty/eleventy/cmd.cjs");
    await runOk(process.execPath, [
      ...[eleventy, "--config=site/eleventy.config.mjs", `--output=${folder.path}`],
    ]);
    // As root, chromium has no sandbox.
    const executablePath = "/usr/bin/chromium";
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    folder.remove();
  });

  const addressOf = (path: string): string => pathToFileURL(`${folder.path}/${path}`).href;
  async function open(path: string, width: number): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 740 }, colorScheme: "dark" });
    page.on("console", (line) => complaints.push(line.text()));
    page.on("pageerror", ({ message }) => complaints.push(message));
    page.on("request", (request) => {
      if (!request.url().startsWith("file:")) complaints.push(request.url());
    });
    await page.goto(addressOf(path));
    return page;
  }

  test("/ leads to the search, and a code to its page", async () => {
    const page = await open("guides/install.html", 1200);
    await page.keyboard.press("/");
    await page.keyboard.type("FuseTripped");
    await page.getByRole("link", { name: "FuseTripped", exact: true }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "FuseTripped" }).waitFor();
    expect(page.url()).toBe(addressOf("errors/FuseTripped.html"));
    await page.close();
  });

  test("each guide and each page of the reference fits a phone", async () => {
    const page = await open("index.html", 360);
    const files = readdirSync(folder.path, { recursive: true, encoding: "utf8" });
    const pages = files.filter((path) => /^(guides\/|reference\/|\w+\.html$).*/.test(path));
    const broad: string[] = [];
    for (const path of pages.filter((one) => one.endsWith(".html"))) {
      await page.goto(addressOf(path));
      if ((await page.evaluate("document.documentElement.scrollWidth")) !== 360) broad.push(path);
    }
    expect(broad).toEqual([]);
    await page.close();
  });

  test("nothing broke the policy of the pages, and nothing was asked of anybody", () => {
    expect(complaints).toEqual([]);
  });
});
