/**
 * The page as a person uses it, in a browser: each screen is looked at and judged by axe, a set is
 * approved, what somebody writes to the zone comes by itself, and a change is undone.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { OLD, PageSession } from "../support/programs/page-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { entry } from "../support/values/cluster-objects.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What each screen says once it knows. */
const SCREENS = [
  ["", "Last changes"],
  ["names", "no owner"],
  ["zones", "example.net"],
  ["holds", "ForeignRecord"],
  ["plan", "1 held"],
  ["clusters", "Watched"],
  ["name/both.example.net", "A, AAAA: first"],
  ["name/www.example.net", "answers as it should"],
  ["name/hostile.example.net", "no owner: not touched"],
  ["name/mail.example.net", "ForeignRecord"],
] as const;

describeReal("the page", ["kubectl-1.32", "bind", "chromium"], () => {
  let world: PageSession;
  let page: Page;
  /** Refusals of the content security policy, errors of scripts. */
  const complaints: string[] = [];
  beforeAll(async () => {
    world = await PageSession.open();
    page = await world.enter();
    page.on("console", (line) => {
      if (line.type() === "error" && !line.text().startsWith("Failed to load resource"))
        complaints.push(line.text());
    });
    page.on("pageerror", ({ message }) => complaints.push(message));
  });
  afterAll(() => world?.close());

  const go = (address: string, of = page) =>
    of.evaluate(`location.hash = ${JSON.stringify(`#/${address}`)}`);
  const violations = async (): Promise<readonly string[]> => {
    const found = (await page.evaluate(`${AXE};axe.run()`)) as AxeResults;
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  };

  test.each(SCREENS)("axe finds nothing on #/%s", async (address, shows) => {
    await go(address);
    await page.getByText(shows).first().waitFor();
    expect(await violations()).toEqual([]);
  });

  test("dark, and as wide as a phone, nothing is cut off and axe finds nothing", async () => {
    const phone = await world.enter({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
    for (const [address, shows] of SCREENS) {
      await go(address, phone);
      await phone.getByText(shows).first().waitFor();
      expect([address, await phone.evaluate("document.documentElement.scrollWidth")]).toEqual([
        address,
        360,
      ]);
    }
    const found = (await phone.evaluate(`${AXE};axe.run()`)) as AxeResults;
    expect(found.violations.map(({ id }) => id)).toEqual([]);
    await phone.close();
  });

  test("what a stranger wrote is text", async () => {
    await go("names?text=hostile");
    const row = page.getByRole("row", { name: /hostile/ });
    await row.waitFor();
    expect(await row.textContent()).toContain("<img src=x onerror=alert(1)>");
    for (const [address, shows] of SCREENS) {
      await go(address);
      await page.getByText(shows).first().waitFor();
      expect([address, await page.locator("main img").count()]).toEqual([address, 0]);
      expect(await page.locator("body").textContent()).not.toContain("\u202e");
    }
  });

  test("what a stranger writes comes by itself", async () => {
    await go("names?text=late");
    await page.getByText("No names match these filters.").waitFor();
    await world.zone.foreignWriter("add late.example.net. 60 A 192.0.2.77");
    await page.getByRole("row", { name: /late\.example\.net.*192\.0\.2\.77.*foreign/ }).waitFor();
  });

  test("a list asks again for names in sight, and for those that come between them", async () => {
    await go("names?text=b");
    await page.getByRole("row", { name: /both/ }).waitFor();
    const other = await world.enter();
    await go("names?text=late", other);
    await other.getByRole("row", { name: /late/ }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    for (const end of [78, 79]) {
      await world.zone.foreignWriter(`add late.example.net. 60 A 192.0.2.${end}`);
      await other.getByRole("row", { name: new RegExp(`late.*192.0.2.${end}`) }).waitFor();
    }
    expect(asked.filter((url) => url.includes("text="))).toEqual([]);
    await world.zone.foreignWriter("add boat.example.net. 60 A 192.0.2.77");
    await page.getByRole("row", { name: /boat/ }).waitFor();
    await other.close();
  });

  test("a change is seen as it is made, and undone", async () => {
    const { zone, session } = world;
    await go("name/www.example.net");
    const overview = await world.enter();
    await overview.getByText("Last changes").waitFor();
    const asked: string[] = [];
    overview.on("request", (request) => asked.push(request.url()));
    await session.user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.2"] }));
    for (const of of [page, overview])
      await of.getByText("changed www.example.net A: 192.0.2.1 -> 192.0.2.2 ttl 300").waitFor();
    expect(asked.filter((url) => url.includes("/history"))).toEqual([]);
    await overview.close();
    await page.getByRole("button", { name: "Undo…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^would be undone: www\.example\.net A/).waitFor();
    expect(await violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Undo 1 change" }).click();
    await dialog.getByText("1 name is paused now").waitFor();
    await zone.becomes("www", "A", "192.0.2.1");
    await dialog.getByRole("button", { name: "Close" }).click();
    await page
      .getByText(/undone by a person/)
      .first()
      .waitFor();
  });

  test("a set is shown, and approved by its count alone", async () => {
    await go("holds");
    await world.deleteOld();
    await page.getByRole("button", { name: "Review and approve…" }).click();
    const dialog = page.getByRole("dialog");
    // The first ones may pass; then it grows while it is looked at.
    const approve = dialog.getByRole("button", { name: /^Approve \d+ removals/ });
    await approve.waitFor();
    const held = await eventually(
      "each is held or gone",
      async () => {
        const gone = await Promise.all(OLD.map((name) => world.zone.answers(name)));
        const shown = Number(/\d+/.exec((await approve.textContent()) ?? "")?.[0]);
        return { shown, gone: gone.filter(({ length }) => length === 0).length };
      },
      ({ shown, gone }) => shown + gone === OLD.length,
    );
    expect(await dialog.getByText(/^- old-.* removed: its object was deleted/).count()).toBe(
      held.shown,
    );
    expect(await dialog.getByText(/last edited by kubectl.*first held/).count()).toBe(held.shown);
    expect(await violations()).toEqual([]);
    const count = dialog.getByRole("textbox");
    await count.fill(String(held.shown - 1));
    expect(await approve.isDisabled()).toBe(true);
    await dialog.getByText(`Not ${held.shown - 1}: it is ${held.shown} removals.`).waitFor();
    expect(await world.zone.answers("old-12")).toEqual(["192.0.2.9"]);
    await count.fill(String(held.shown));
    await approve.click();
    await dialog.getByText(`${held.shown} of ${held.shown} changes made`).waitFor();
    for (const name of OLD) await world.zone.becomes(name, "A");
    await go("name/old-12.example.net");
    await page
      .getByText(/no object lists it any more; it was removed: its object was deleted/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Undo…" }).click();
    await dialog.getByLabel("What to undo").selectOption({ index: 1 });
    const undoAll = dialog.getByRole("button", { name: `Undo ${held.shown} changes` });
    await undoAll.waitFor();
    await undoAll.click();
    await dialog.getByText(/names are paused now.*The undo lasts as long as the pause/).waitFor();
    for (const name of OLD.slice(-2)) await world.zone.becomes(name, "A", "192.0.2.9");
    await dialog.getByRole("button", { name: "Close" }).click();
    await page
      .getByText(/When the pause ends it is removed, unless that is back/)
      .first()
      .waitFor();
  });

  test("/ leads to the search, and a name to its screen, by keys alone", async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("shop.example.net");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "shop.example.net" }).waitFor();
    await page.getByRole("heading", { name: /Alias/ }).waitFor();
  });

  test("behind the API server's proxy a token of the cluster shows, and orders nothing", async () => {
    const reader = await world.signedOut();
    await reader.getByRole("heading", { name: "Sign in" }).waitFor();
    const found = (await reader.evaluate(`${AXE};axe.run()`)) as AxeResults;
    expect(found.violations.map(({ id }) => id)).toEqual([]);
    const enter = async (token: string, namespaces: string) => {
      await reader.getByRole("textbox", { name: "Token" }).fill(token);
      await reader.getByLabel(/^Namespaces/).fill(namespaces);
      await reader.getByRole("button", { name: "Show my names" }).click();
    };
    await enter("guessed-0123456789", "default");
    await reader.getByText("Unauthorized").waitFor();
    await enter(world.session.server.tokenOf("admin"), "elsewhere");
    await reader.getByText("Names of elsewhere are shown.").waitFor();
    await go("names", reader);
    await reader.getByText("No names match these filters.").waitFor();
    await reader.getByRole("button", { name: "Sign out" }).click();
    await enter(world.session.server.tokenOf("admin"), "default");
    await reader.getByText("live", { exact: true }).waitFor();
    await go("names?text=www", reader);
    await reader.getByRole("row", { name: /^www\.example\.net A/ }).waitFor();
    await go("name/www.example.net", reader);
    await reader.getByText(/^Names of default.*Read-only/).waitFor();
    await reader.getByText("created www.example.net A").waitFor();
    expect(await reader.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
    const [cookie] = await reader.context().cookies();
    expect(cookie?.path).toBe(new URL(world.proxied).pathname.replace("page/", ""));
    const status = await reader.evaluate(
      "fetch('../api/v1/pause?name=www.example.net', {method: 'POST'}).then((one) => one.status)",
    );
    expect(status).toBe(403);
    await reader.close();
  });

  test("a lost instance is said, and nothing broke the policy of the page", async () => {
    expect(complaints).toEqual([]);
    await world.instance.kill9();
    await page.getByText("not live: what you see may be old").waitFor();
  });
});
