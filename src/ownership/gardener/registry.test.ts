import { describe, expect, test } from "vitest";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  shortName,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { settle, step } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { openGardenerOwnership } from "./registry.ts";

const open = (...owners: readonly string[]) =>
  openGardenerOwnership({
    apex: ORIGIN,
    isOwnedByUs: (owner) => owners.includes(owner),
    atomic: true,
  });
const ownership = open("me");
const worldOf = (zone: ZoneModel, desired: string) => ({
  zone,
  ownership,
  desired: parseDesired(desired),
  rules: rulesWith({ owners: new Set(["me"]) }),
});

async function publish(desired: string, start = ""): Promise<string> {
  const zone = new ZoneModel(parseZone(start));
  await settle(worldOf(zone, desired));
  return showZone(zone.all());
}

describe("Gardener's metadata records, byte for byte", () => {
  test.each([
    ["a", "comment-a"],
    ["a.b", "comment-a.b"],
    ["*.a", "*.comment-a"],
    ["*", "*.comment--base"],
    ["@", "comment--base"],
    ["x".repeat(55), `comment-${"x".repeat(55)}`],
  ])("the marker of %s is at %s, with a TTL of 600", async (name, markerName) => {
    const lines = (await publish(`${name} 300 A 192.0.2.1`)).split("\n");
    expect(lines.filter((line) => line.startsWith(`${markerName} `))).toEqual([
      `${markerName} 600 TXT "owner=me"`,
      `${markerName} 600 TXT "prefix=comment-"`,
      `${markerName} 600 TXT "resource-A=service/default/web"`,
    ]);
  });

  test("the apex of Azure", () => {
    expect(ownership.related("@.example.org").map(shortName)).toContain("comment----at");
    expect(ownership.affected("comment----at.example.org")).toContain("@.example.org");
  });

  test("a label of 56 bytes leaves no room for the prefix", async () => {
    const zone = new ZoneModel([]);
    const name = "x".repeat(56);
    const { group, holds } = await step(nameOf(name), worldOf(zone, `${name} 300 A 192.0.2.1`));
    expect([group, holds[0]?.code]).toEqual([null, "NoMarkerPossible"]);
  });
});

describe("records that Gardener wrote", () => {
  const markerAt = (markerName: string, owner = "me", more = "") =>
    `${markerName} 600 TXT "owner=${owner}"\n${markerName} 600 TXT "prefix=comment-"\n${more}`;

  test.each([
    ["www", "comment-www"],
    ["*", "*.comment--base"],
    ["*", "*.comment-"],
    ["@", "comment--base"],
  ])(
    "at %s, marked at %s: ours is changed and keeps its marker's place",
    async (name, markerName) => {
      const shown = await publish(
        `${name} 300 A 192.0.2.2`,
        `${name} 300 A 192.0.2.1\n${markerAt(markerName)}`,
      );
      expect(shown).toContain(`${name} 300 A 192.0.2.2`);
      expect(shown).toContain(`${markerName} 600 TXT "resource-A=service/default/web"`);
    },
  );

  test("an attribute that we do not need is kept", async () => {
    const start = `www 300 A 192.0.2.1\n${markerAt("comment-www", "me", 'comment-www 600 TXT "cnames=a.example.com,b.example.com"')}`;
    const shown = await publish("www 300 A 192.0.2.2", start);
    expect(shown).toContain('comment-www 600 TXT "cnames=a.example.com,b.example.com"');
  });

  test.each([
    ["another owner's", markerAt("comment-www", "you")],
    ["a lock", markerAt("comment-www", "me", 'comment-www 600 TXT "kind=DNSLock"')],
  ])("%s name is not touched", async (_, marker) => {
    const start = showZone(parseZone(`www 300 A 192.0.2.1\n${marker}`));
    expect(await publish("www 300 A 192.0.2.2", start)).toBe(start);
    expect(await publish("", start)).toBe(start);
  });

  test("without a marker nothing is taken over, as Gardener would do", async () => {
    expect(await publish("www 300 A 192.0.2.2", "www 300 A 192.0.2.1")).toBe("www 300 A 192.0.2.1");
  });

  test("a text beside an address is foreign, for the marker says no types", async () => {
    const start = `www 300 A 192.0.2.1\nwww 300 TXT "v=spf1 -all"\n${markerAt("comment-www")}`;
    const owned = await ownership.read(parseZone(start));
    expect(owned.map(({ type, marker }) => [type, marker?.owner ?? null])).toEqual([
      ["A", "me"],
      ["TXT", null],
    ]);
  });

  test("it names no object, so nothing of it is removed for want of one", async () => {
    const [one] = await ownership.read(
      parseZone(`www 300 A 192.0.2.1\n${markerAt("comment-www")}`),
    );
    expect(one?.marker?.resource).toBeNull();
  });

  test("a set of owner ids is ours, as with DNSOwners", async () => {
    const zone = new ZoneModel(parseZone(`www 300 A 192.0.2.1\n${markerAt("comment-www", "me2")}`));
    const both = { ...worldOf(zone, "www 300 A 192.0.2.2"), ownership: open("me", "me2") };
    await settle({ ...both, rules: rulesWith() });
    expect(showZone(zone.all())).toContain('"owner=me"');
    expect(showZone(zone.all())).toContain("www 300 A 192.0.2.2");
  });

  test("a text that is no attribute makes the marker untouchable", async () => {
    const start = `www 300 A 192.0.2.1\n${markerAt("comment-www", "me", 'comment-www 600 TXT "hello"')}`;
    expect(await publish("", start)).toBe(showZone(parseZone(start)));
  });
});

test("two owner ids cannot share a name", async () => {
  const zone = new ZoneModel([]);
  const desired = "www 300 A 192.0.2.1 ; owner=me\nwww 300 AAAA 2001:db8::1 ; owner=me2";
  const both = { ...worldOf(zone, desired), ownership: open("me", "me2"), rules: rulesWith() };
  const { holds } = await step(nameOf("www"), both);
  expect(holds[0]?.code).toBe("NoMarkerPossible");
});

test("a user's text must not look like a marker; a user's record must not take a marker's place", async () => {
  const zone = new ZoneModel([]);
  const forged = 'x 300 TXT "owner=you"\nx 300 TXT "prefix=comment-"';
  expect((await step(nameOf("x"), worldOf(zone, forged))).holds[0]?.code).toBe("LooksLikeMarker");
  await settle(worldOf(zone, "www 300 A 192.0.2.1"));
  const desired = "www 300 A 192.0.2.1\ncomment-www 300 CNAME away.example.com";
  const { holds } = await step(nameOf("comment-www"), worldOf(zone, desired));
  expect(holds[0]?.code).toBe("NameInUse");
});

test("Z-10 where a call takes one record set, all is held", async () => {
  const stepwise = openGardenerOwnership({ apex: ORIGIN, isOwnedByUs: () => true, atomic: false });
  const world = { ...worldOf(new ZoneModel([]), "www 300 A 192.0.2.1"), ownership: stepwise };
  expect((await step(nameOf("www"), world)).holds[0]?.code).toBe("NoMarkerPossible");
});
