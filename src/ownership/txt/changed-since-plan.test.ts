/**
 * A group is prepared over what the zone holds then: where that is not what was planned for,
 * nothing of it is written.
 */
import { describe, expect, test } from "vitest";
import { SeededRandom } from "../../../test/support/ports/test-ports.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { RealCrypto } from "../../app/ports/real-crypto.ts";
import { RealGzip } from "../../app/ports/real-gzip.ts";
import type { NamePlan } from "../../plan/changes.ts";
import { planName } from "../../plan/plan.ts";
import { MarkerCodec } from "./marker-codec.ts";
import { openTxtOwnership } from "./ownership.ts";
import type { TxtOwnershipOptions } from "./ownership-options.ts";

const m = (owner: string, more = "") =>
  `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=service/default/web${more}"`;
const ME = m("me");
const WWW = nameOf("www");
const open = (options: Partial<TxtOwnershipOptions> = {}) =>
  openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner.startsWith("me"), ...options });

interface Round {
  readonly zone: string;
  readonly now: string;
  readonly desired?: string;
  readonly atomic?: boolean;
}

/** Holds and writes of `www`, planned for `zone` and prepared over `now`. */
async function prepared({ zone, now, desired = "", atomic = true }: Round) {
  const ownership = open({ atomic });
  const current = (await ownership.read(parseZone(zone))).filter(({ name }) => name === WWW);
  const plan = planName(WWW, parseDesired(desired), current, rulesWith());
  const model = new ZoneModel(parseZone(now), { atomic });
  const result = await ownership.prepare(plan, model);
  const holds = (result.holds ?? []).map(({ key, code }) => `! ${key.type} ${code}`);
  if (!result.ok) return holds;
  expect(model.apply(result.group)).toBe(true);
  return [...holds, ...showZone(model.all()).split("\n")];
}

const OWNED = `www 300 A 192.0.2.1\na-www 300 TXT ${ME}`;
const WITH_FOREIGN_TEXT = `${OWNED}\na-www 300 TXT "hello"`;

describe.each([true, false])("atomic %s", (atomic) => {
  test.each([
    ["a removal", ""],
    ["a new winner", "www 300 A 192.0.2.1 ; from=ingress/shop/web"],
    ["a change of type", "www 300 CNAME lb.example.com"],
  ])("a foreign text came beside the marker: %s is held", async (_, desired) => {
    const holds = await prepared({ zone: OWNED, now: WITH_FOREIGN_TEXT, desired, atomic });
    expect(holds[0]).toBe("! A MarkerShared");
    expect(holds.every((line) => line.startsWith("!"))).toBe(true);
  });

  test("another marker came: held", async () => {
    const now = `${OWNED}\n_owner.a.www 300 TXT ${m("you")}`;
    expect(await prepared({ zone: OWNED, now, atomic })).toEqual(["! A Contested"]);
  });
});

test("a pending marker that got a foreign text is not made final", async () => {
  const ownership = open({ atomic: false });
  const zone = new ZoneModel([], { atomic: false });
  const desired = parseDesired("www 300 A 192.0.2.1");
  const plan = planName(WWW, desired, [], rulesWith());
  const first = await ownership.prepare(plan, zone);
  if (!first.ok) throw new Error("held");
  expect(zone.apply(first.group)).toBe(true);
  const current = (await ownership.read(zone.all())).filter(({ name }) => name === WWW);
  const next = planName(WWW, desired, current, rulesWith());
  for (const set of parseZone('a-www 300 TXT "hello"')) zone.write({ op: "create", next: set });
  const held = await ownership.prepare(next, zone);
  expect(held.ok ? held.group.changes : held.holds.map(({ code }) => code)).toEqual([
    "MarkerShared",
  ]);
});

describe("what is proven to be unwanted goes while its neighbour waits", () => {
  const both = `www 300 AAAA 2001:db8::1\naaaa-www 300 TXT ${ME}`;
  const blocked = "a-www 300 CNAME x.example.com\n_owner.a.www 300 CNAME x.example.com";
  const desired = "www 300 A 192.0.2.1";

  test("alone", async () => {
    const zone = both.replace("default/web", "default/old");
    const now = `${zone}\n${blocked}`;
    expect(await prepared({ zone, now, desired })).toEqual([
      "! A NoMarkerPossible",
      ...showZone(parseZone(blocked)).split("\n"),
    ]);
  });

  test("unless it is in trouble itself: then both wait", async () => {
    const now = `${both}\n${blocked}\naaaa-www 300 TXT "hello"`;
    const holds = await prepared({ zone: both, now, desired });
    expect(holds).toEqual(["! A NoMarkerPossible", "! AAAA NoMarkerPossible"]);
  });
});

describe("a marker that was to be brought to another form", () => {
  const migration = async (now: string) => {
    const ownership = open();
    const target = { location: "label", encrypt: false } as const;
    const zone = new ZoneModel(parseZone(OWNED));
    const changes = ownership.migration?.outdated(WWW, zone, target).changes ?? [];
    expect(changes).toHaveLength(1);
    const plan: NamePlan = { name: WWW, changes, holds: [] };
    return ownership.prepare(plan, new ZoneModel(parseZone(now)));
  };

  test.each([
    ["went", "www 300 A 192.0.2.1"],
    ["went with its data", ""],
  ])("%s: nothing is written", async (_, now) => {
    expect(await migration(now)).toMatchObject({ ok: true, group: { changes: [] } });
  });

  test("got a foreign text: held", async () => {
    expect(await migration(WITH_FOREIGN_TEXT)).toMatchObject({
      ok: false,
      holds: [{ code: "MarkerShared" }],
    });
  });

  test("stands as it was: it is moved", async () => {
    const moved = await migration(OWNED);
    expect(moved.ok && moved.group.changes.map(({ op }) => op)).toEqual(["remove", "create"]);
  });
});

describe("a text that looks like an encrypted marker", () => {
  const crypto = new RealCrypto();
  const sealed = new MarkerCodec({
    key: new Uint8Array(32).fill(3),
    write: true,
    cipher: crypto,
    gzip: new RealGzip(),
    random: new SeededRandom(1),
  }).write({ owner: "me", resource: "service/default/web" });
  const published = async (at: string) => {
    const name = nameOf(at);
    const plan = planName(name, parseDesired(`${at} 300 TXT ${sealed}`), [], rulesWith());
    const result = await open().prepare(plan, new ZoneModel([]));
    return result.ok ? "written" : result.holds.map(({ code }) => code);
  };

  test("is not published where a marker of a type would stand, and is a text elsewhere", async () => {
    expect(await published("a-www")).toEqual(["LooksLikeMarker"]);
    expect(await published("www")).toBe("written");
  });

  test("gives its record to nobody where a marker of a type would stand", async () => {
    const read = async (at: string) => {
      const owned = await open().read(parseZone(`www 300 A 192.0.2.1\n${at} 300 TXT ${sealed}`));
      return owned.map(
        ({ type, marker }) => `${type} ${marker?.trouble ?? marker?.owner ?? "foreign"}`,
      );
    };
    expect(await read("a-www")).toEqual(["A MarkerUnreadable"]);
    expect(await read("www")).toEqual(["A foreign", "TXT foreign"]);
  });
});
