/**
 * Markers that label a name, where two formats share the rules; most cases are in the plainer
 * spelling, mesh. What the zone holds when a group is prepared may differ from what was planned
 * for: `now`.
 */
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
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { planName } from "../../plan/plan.ts";
import { openGardenerOwnership } from "../gardener/registry.ts";
import { openMeshOwnership } from "../mesh/registry.ts";

const options = { apex: ORIGIN, isOwnedByUs: (owner: string) => owner === "me", atomic: true };
const mesh = openMeshOwnership(options);

const m = (types: string, owner = "me", object = "web") =>
  `"cluster=c1,m=mesh,mesh=${owner},ns=default,resource=service/default/${object},types=${types}"`;
const OWNED = `www 300 A 192.0.2.1\nwww 300 TXT ${m("A")}`;

interface Round {
  readonly zone: string;
  readonly now?: string;
  readonly name?: string;
  readonly desired?: string;
  readonly ownership?: typeof mesh;
}

/** The zone after one round, or the holds. */
async function zoneAfter({
  zone,
  now = zone,
  name = "www",
  desired = "",
  ownership = mesh,
}: Round) {
  const owner = nameOf(name);
  const current = (await ownership.read(parseZone(zone))).filter((one) => one.name === owner);
  const plan = planName(owner, parseDesired(desired), current, rulesWith());
  const model = new ZoneModel(parseZone(now));
  const prepared = await ownership.prepare(plan, model);
  if (!prepared.ok) return prepared.holds.map(({ code, message }) => `${code}: ${message}`);
  expect(model.apply(prepared.group)).toBe(true);
  return showZone(model.all()).split("\n");
}

const lines = (text: string) => showZone(parseZone(text)).split("\n");

describe("the zone is not what was planned for", () => {
  test.each([
    [
      "a foreign text came beside the marker",
      `${OWNED}\nwww 300 TXT "hello"`,
      /^MarkerShared: our marker at TXT www\.example\.org shares its record set/,
    ],
    [
      "another owner's marker came",
      `${OWNED}\n_mesh.www 300 TXT ${m("A", "you")}`,
      /^Contested: .*"you"/,
    ],
    [
      "the data changed",
      OWNED.replace("192.0.2.1", "192.0.2.9"),
      /^MarkerShared: a marker shares A www/,
    ],
    ["the data went", `www 300 TXT ${m("A")}`, /^MarkerShared: a marker shares A www/],
  ])("%s: nothing is written", async (_, now, hold) => {
    expect(await zoneAfter({ zone: OWNED, now })).toEqual([expect.stringMatching(hold)]);
  });

  test("the same, where it stands: the removal is made", async () => {
    expect(await zoneAfter({ zone: OWNED })).toEqual([""]);
  });
});

describe("a removal that is held names no object", () => {
  test("Z-10 where a call takes one record set", async () => {
    const stepwise = openMeshOwnership({ ...options, atomic: false });
    const plan = planName(nameOf("www"), [], await stepwise.read(parseZone(OWNED)), rulesWith());
    expect(await stepwise.prepare(plan, new ZoneModel(parseZone(OWNED)))).toMatchObject({
      ok: false,
      holds: [{ code: "NoMarkerPossible", provenance: null }],
    });
  });
});

describe("the marker's place", () => {
  test("a new winner rewrites it and leaves the data", async () => {
    const zone = OWNED.replace("default/web", "default/old");
    expect(await zoneAfter({ zone, desired: "www 300 A 192.0.2.1" })).toEqual(lines(OWNED));
  });

  test("it cannot stay below a delegation: the other records get a new, plain one", async () => {
    const zone = `www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1\n_mesh.www 300 TXT ${m("A AAAA")}\n_mesh.www 300 NS ns.example.com`;
    const desired = "www 300 AAAA 2001:db8::1";
    expect(await zoneAfter({ zone, desired })).toEqual(
      lines(`${desired}\nwww 300 TXT ${m("AAAA")}\n_mesh.www 300 NS ns.example.com`),
    );
  });

  test.each([
    ["sub 300 NS ns.example.com", "a.sub", "sub.example.org"],
    ["sub 300 DNAME other.example.com", "a.sub", "sub.example.org"],
    ["a.sub 300 NS ns.example.com", "a.sub", "a.sub.example.org"],
  ])("below %s nothing is answered: no marker for %s", async (zone, name, cut) => {
    expect(await zoneAfter({ zone, name, desired: `${name} 300 A 192.0.2.1` })).toEqual([
      expect.stringMatching(new RegExp(`^NoMarkerPossible: .*the zone ends at ${cut}`)),
    ]);
  });

  test("a DNAME at the name itself, and an NS at the apex, are no cut", async () => {
    const zone = "www 300 DNAME other.example.com\n@ 300 NS ns.example.com";
    expect(await zoneAfter({ zone, desired: "www 300 A 192.0.2.1" })).toContain(
      `www 300 TXT ${m("A")}`,
    );
  });

  test("no room at all: it is said", async () => {
    const name = `${"x".repeat(60)}.${"y".repeat(60)}.${"z".repeat(60)}.${"v".repeat(54)}`;
    const gardener = openGardenerOwnership(options);
    expect(
      await zoneAfter({ zone: "", name, desired: `${name} 300 A 192.0.2.1`, ownership: gardener }),
    ).toEqual([
      "NoMarkerPossible: the name is too long for a marker, or would be read as another one; choose another name",
    ]);
  });
});

describe("reading", () => {
  const read = async (zone: string) =>
    (await mesh.read(parseZone(zone))).map(({ name, type, data, marker, contested, owners }) => {
      const shown = `${shortName(name)} ${type} ${data === null ? "-" : data.values.join(" ")}`;
      return `${shown} ${marker?.owner ?? "foreign"}${contested ? " contested" : ""}${owners === undefined ? "" : ` ${owners.join("+")}`}`;
    });

  test.each([
    ["a marker without data is a half pair of its type", `www 300 TXT ${m("A")}`, ["www A - me"]],
    ["… of any, where it says none", 'www 300 TXT "mesh=me"', ["www ANY - me"]],
    [
      "two of one type make one",
      `www 300 TXT ${m("A")}\n_mesh.www 300 TXT ${m("A", "you")}`,
      ["www A - me contested me+you"],
    ],
    [
      "two owners at one record: contested, and ours is shown",
      `www 300 A 192.0.2.1\nwww 300 TXT ${m("A", "a")}\n_mesh.www 300 TXT ${m("A")}`,
      ["www A 192.0.2.1 me contested a+me"],
    ],
    [
      "one owner twice is not contested",
      `www 300 A 192.0.2.1\nwww 300 TXT ${m("A")}\n_mesh.www 300 TXT ${m("A")}`,
      ["www A 192.0.2.1 me"],
    ],
    [
      "what a marker says by type goes before what it says without",
      `www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1\nwww 300 TXT ${m("A")}\nwww 300 TXT "mesh=you"`,
      ["www A 192.0.2.1 me", "www AAAA 2001:db8::1 you"],
    ],
    [
      "a marker of one type is none of another",
      `www 300 AAAA 2001:db8::1\nwww 300 TXT ${m("A")}`,
      ["www A - me", "www AAAA 2001:db8::1 foreign"],
    ],
    [
      "without types it labels a text where no other record exists",
      '_mesh.www 300 TXT "mesh=me"\nwww 300 TXT "hello"',
      ['www TXT "hello" me'],
    ],
  ])("%s", async (_, zone, expected) => {
    expect(await read(zone)).toEqual(expected);
  });
});
