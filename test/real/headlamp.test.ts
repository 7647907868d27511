/**
 * The plugin of Headlamp with answers of a real instance: what the details of an object and the map
 * show, what a missing right, an older instance and hostile data do, and that it only reads.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HeadlampPage, openHeadlamp } from "../support/programs/headlamp-page.ts";
import { PageSession } from "../support/programs/page-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";

describeReal("the plugin of Headlamp", ["kubectl-1.32", "bind", "chromium"], () => {
  let world: PageSession;
  let headlamp: HeadlampPage;
  const complaints: string[] = [];
  beforeAll(async () => {
    world = await PageSession.open();
    headlamp = await openHeadlamp(world);
    headlamp.page.on("pageerror", ({ message }) => complaints.push(message));
  });
  afterAll(() => world?.close());

  const says = (text: string | RegExp) => headlamp.page.getByText(text).first().waitFor();
  const entryOf = (name: string) =>
    headlamp.show("DNSEntry", name, { dnsName: world.zone.name(name) });

  test("a DNSEntry: its name answers as it should", async () => {
    await entryOf("www");
    await says("the name answers as it should");
    await says("From object to answer");
  });

  test("a DNSEntry that waits: the reason, and what mends it", async () => {
    await entryOf("mail");
    await says("ForeignRecord");
    await says("What to do");
    await says("kubectl zonekeeper ownership adopt mail.example.net");
  });

  test("a name in the text leads to it, not away", async () => {
    await entryOf("shop");
    await headlamp.page.getByRole("link", { name: "www.example.net" }).first().click();
    await headlamp.page.getByRole("heading", { name: "www.example.net" }).waitFor();
    expect(new URL(headlamp.page.url()).hash).toBe("");
  });

  test("an object without a name, and a kind that has none", async () => {
    await headlamp.show("Service", "nobody");
    await says("No zone has a name for this object.");
    await headlamp.show("ConfigMap", "nobody");
    expect(await headlamp.page.locator("#root").innerHTML()).toBe("");
  });

  test("what strangers wrote is text, and no token is shown", async () => {
    await entryOf("hostile");
    await says(/<img src=x onerror=alert\(1\)>/);
    expect(await headlamp.page.locator("img").count()).toBe(0);
    const shown = await headlamp.page
      .locator("#root section div")
      .first()
      .evaluate(({ shadowRoot }) => shadowRoot?.innerHTML ?? "");
    expect(shown).not.toContain("\u202e");
    expect(shown).toContain("no owner: not touched");
    expect(shown).not.toContain(world.instance.token());
  });

  test("the map: from an object to its name, and to the zone", async () => {
    await headlamp.page.evaluate("showMap()");
    await headlamp.page.waitForFunction("globalThis.graph !== null");
    const { nodes, edges } = (await headlamp.page.evaluate("globalThis.graph")) as {
      readonly nodes: readonly { readonly id: string; readonly status?: string }[];
      readonly edges: readonly { readonly source: string; readonly target: string }[];
    };
    const name = "zonekeeper example.net www.example.net";
    expect(nodes.find(({ id }) => id === name)?.status).toBe("success");
    expect(edges).toContainEqual(
      expect.objectContaining({ source: name, target: "zonekeeper example.net" }),
    );
    expect(edges).toContainEqual(
      expect.objectContaining({ source: "zonekeeper dnsentry/default/www", target: name }),
    );
    const known = new Set(nodes.map(({ id }) => id));
    expect(known.size).toBe(nodes.length);
    expect(edges.filter(({ source, target }) => !known.has(source) || !known.has(target))).toEqual(
      [],
    );
  });

  test("an older instance is said", async () => {
    headlamp.instead = (path) =>
      path.includes("/explain/") ? { status: 200, json: { zones: [], wishes: [] } } : null;
    await entryOf("www");
    await says("The instance is of another version than this plugin");
  });

  test("a missing right is said with the page that has the Role, and no instance with its remedy", async () => {
    await headlamp.page.reload();
    headlamp.instead = () => ({ status: 403, json: { message: "pods is forbidden" } });
    // Another cluster, which was not asked before.
    const show = `showObject({ kind: "Service", metadata: { name: "a" }, cluster: "other" })`;
    await headlamp.page.evaluate(show);
    await says(/Forbidden.*pods is forbidden.*has the Role/);
    await headlamp.page.evaluate("showMap()");
    await headlamp.page.waitForFunction("globalThis.graph?.nodes.length === 1");
    expect(await headlamp.page.evaluate("globalThis.graph.nodes[0]")).toMatchObject({
      label: "The names of zones cannot be read",
      subtitle: expect.stringMatching(/^Forbidden: /),
    });
    headlamp.instead = () => ({ status: 200, json: { items: [] } });
    await headlamp.page.evaluate(show);
    await says(/NoInstance.*no Pod in any namespace has the labels/);
  });

  test("it only read, and had no fault", () => {
    expect(headlamp.asked.filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
