import { describe, expect, test } from "vitest";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { settle, step } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { openMeshOwnership } from "./registry.ts";

const ownership = openMeshOwnership({
  apex: ORIGIN,
  isOwnedByUs: (owner) => owner === "me",
  atomic: true,
});
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

const marker = (types: string, more = "cluster=c1,") =>
  `"${more}m=mesh,mesh=me,ns=default,resource=service/default/web,types=${types}"`;

describe("dns-sync's plain form, mended", () => {
  test.each([
    [
      "an address: the text is at the name",
      "www 300 A 192.0.2.1",
      `www 300 A 192.0.2.1\nwww 300 TXT ${marker("A")}`,
    ],
    [
      "both families share one text",
      "www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1",
      `www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1\nwww 300 TXT ${marker("A AAAA")}`,
    ],
    [
      "an alias: the text is at the side name",
      "www 300 CNAME lb.example.com",
      `_mesh.www 300 TXT ${marker("CNAME")}\nwww 300 CNAME lb.example.com`,
    ],
    [
      "a wanted text: likewise",
      'www 300 TXT "hello"',
      `_mesh.www 300 TXT ${marker("TXT")}\nwww 300 TXT "hello"`,
    ],
    [
      "a wildcard alias",
      "*.apps 300 CNAME lb.example.com",
      `*.apps 300 CNAME lb.example.com\n_mesh._wildcard.apps 300 TXT ${marker("CNAME")}`,
    ],
  ])("%s", async (_, desired, zone) => {
    expect(await publish(desired)).toBe(showZone(parseZone(zone)));
  });

  test("somebody's text at the name blocks nothing and is not touched", async () => {
    const spf = '@ 300 TXT "v=spf1 -all"';
    expect(await publish("@ 300 A 192.0.2.1", spf)).toBe(
      showZone(parseZone(`@ 300 A 192.0.2.1\n${spf}\n_mesh 300 TXT ${marker("A")}`)),
    );
  });

  test("what dns-sync wrote is read: an owner, and no types", async () => {
    const start =
      'www 300 A 192.0.2.1\nwww 300 TXT "mesh=me,resource=serviceentry/prod/web"\nnode 300 A 192.0.2.2\nnode 300 TXT "mesh=you"';
    const owned = await ownership.read(parseZone(start));
    expect(owned.map(({ name, marker: one }) => [name, one?.owner, one?.resource])).toEqual([
      ["node.example.org", "you", null],
      ["www.example.org", "me", "serviceentry/prod/web"],
    ]);
  });

  test("it is changed in its place and says more then", async () => {
    const start = 'www 300 A 192.0.2.1\nwww 300 TXT "mesh=me,resource=service/default/web"';
    expect(await publish("www 300 A 192.0.2.2", start)).toBe(
      `www 300 A 192.0.2.2\nwww 300 TXT ${marker("A")}`,
    );
  });

  test("a record at _mesh.<name> has its own marker further aside", async () => {
    const shown = await publish("_mesh.www 300 A 192.0.2.1\nwww 300 CNAME lb.example.com");
    expect(shown).toContain(`_mesh._mesh.www 300 TXT ${marker("A")}`);
  });

  test("a user's text must not look like a marker", async () => {
    const world = worldOf(new ZoneModel([]), 'x 300 TXT "mesh=you"');
    expect((await step(nameOf("x"), world)).holds[0]?.code).toBe("LooksLikeMarker");
  });

  test("a foreign text beside our marker keeps both where they are", async () => {
    const zone = new ZoneModel([]);
    await settle(worldOf(zone, "www 300 A 192.0.2.1"));
    for (const next of parseZone('www 300 TXT "theirs"')) zone.write({ op: "create", next });
    const before = showZone(zone.all());
    await settle(worldOf(zone, ""));
    expect(showZone(zone.all())).toBe(before);
  });
});
