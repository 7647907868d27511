import { describe, expect, test } from "vitest";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { step } from "../../../test/support/worlds/reconcile.ts";
import { party, permitFor, settleParties } from "../../../test/support/worlds/transfer-world.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { type RecordSetKey, recordSetKeyText } from "../../model/record-set.ts";
import { NO_TRANSFER } from "../../model/transfer-request.ts";
import type { Hold } from "../../plan/changes.ts";
import { markerState } from "../../plan/claims.ts";
import type { NameTemplate } from "./name-template.ts";
import { openTxtOwnership } from "./ownership.ts";

const WEB = "service/default/web";
const A = "www 300 A 192.0.2.1";
const DESIRED = parseDesired(`${A} ; from=${WEB}`);
const KEY: RecordSetKey = { name: nameOf("www"), type: "A", setIdentifier: null };
const text = (owner: string, object = WEB) =>
  `"heritage=external-dns,external-dns/cluster=c1,external-dns/owner=${owner},external-dns/resource=${object}"`;
const typed = (owner: string, object?: string) => `a-www 300 TXT ${text(owner, object)}`;
const legacy = (owner: string, object?: string) => `www 300 TXT ${text(owner, object)}`;
const zoneText = (...lines: readonly string[]) => showZone(parseZone(lines.join("\n")));

interface Options {
  readonly atomic?: boolean;
  readonly ends?: string;
  readonly nameTemplate?: NameTemplate;
  readonly readAlso?: readonly NameTemplate[];
  /** Steps to carry out; a crash comes after them. */
  readonly steps?: number;
  /** Owner ids that are ours; default `me`. */
  readonly owners?: readonly string[];
}

/**
 * What an order of a person to take `www A` over as it stands comes to; `seen` is the zone after
 * each step.
 */
async function taken(zone: ZoneModel, { ends, steps = 5, ...options }: Options = {}) {
  const owners = new Set(options.owners ?? ["me"]);
  const isOwnedByUs = (one: string): boolean => owners.has(one);
  const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs, ...options });
  const seen: string[] = [];
  const held: Hold[] = [];
  for (let count = 0; count < steps; count++) {
    const views = await ownership.read(zone.all());
    const marker = views.find((one) => recordSetKeyText(one) === recordSetKeyText(KEY))?.marker;
    const state = marker ? markerState(marker) : "";
    const order = {
      is: "transfer" as const,
      marker: state,
      ...(ends === undefined ? {} : { ends }),
    };
    const orders = new Map([[recordSetKeyText(KEY), order]]);
    const rules = rulesWith({ owners, mainOwner: "me", orders });
    const world = { zone, ownership, desired: DESIRED, rules };
    const { group, holds } = await step(KEY.name, world);
    held.push(...holds);
    if (group === null || group.changes.length === 0) break;
    expect(zone.apply(group)).toBe(true);
    seen.push(showZone(zone.all()));
  }
  return { seen, held: held.map(({ code }) => code), messages: held.map(({ message }) => message) };
}

const zoneOf = (...lines: readonly string[]) => new ZoneModel(parseZone(lines.join("\n")));
const BOTH = [A, typed("ext"), legacy("ext")];
const DONE = zoneText(A, typed("me"));

describe("Z-9, Z-13: a record with two markers changes hands whole", () => {
  test.each([
    ["of one object", WEB],
    ["of two objects", "service/default/old"],
  ])("%s: in one batch both markers", async (_, object) => {
    const zone = zoneOf(A, typed("ext"), legacy("ext", object));
    expect(await taken(zone)).toEqual({ seen: [DONE], held: [], messages: [] });
  });

  test.each([
    ["of one object", WEB],
    ["of two objects", "service/default/old"],
  ])(
    "%s: step by step the spare one first, the last one is the change of hands",
    async (_, object) => {
      const zone = zoneOf(A, typed("ext"), legacy("ext", object));
      const { seen, held } = await taken(zone, { atomic: false });
      expect([seen, held]).toEqual([[zoneText(A, typed("ext")), DONE], []]);
    },
  );

  test.each([true, false])("by permit, atomic %s", async (atomic) => {
    const both = [A, typed("east", "service/default/east"), legacy("east", "service/default/east")];
    const zone = zoneOf(...both);
    const claim = { ...NO_TRANSFER, claim: true };
    const parties = [party("east", A, permitFor("west")), party("west", A, claim)];
    await settleParties(parties, zone, { atomic });
    expect(showZone(zone.all())).toBe(zoneText(A, typed("west", "service/default/west")));
  });

  test.each([true, false])("from one owner id of ours to another, atomic %s", async (atomic) => {
    const zone = zoneOf(A, typed("me2"), legacy("me2"));
    await taken(zone, { atomic, owners: ["me", "me2"] });
    expect(showZone(zone.all())).toBe(DONE);
  });

  test("after a crash anybody can go on: the giver keeps it, and a later order takes it", async () => {
    const zone = zoneOf(...BOTH);
    await taken(zone, { atomic: false, steps: 1 });
    const isOwnedByUs = (one: string): boolean => one === "ext";
    const [www] = await openTxtOwnership({ apex: ORIGIN, isOwnedByUs }).read(zone.all());
    expect(www).toMatchObject({ contested: false, marker: { owner: "ext" } });
    await taken(zone, { atomic: false });
    expect(showZone(zone.all())).toBe(DONE);
  });

  const PREFIX: NameTemplate = { prefix: "txt.", suffix: "", wildcard: "" };
  const far = `txt.www 300 TXT ${text("ext")}`;
  const A_BELOW = "a-www 300 A 192.0.2.2";
  test.each<[string, string, readonly string[], Options, string]>([
    ["a text in its record set", "MarkerShared", [...BOTH, 'www 300 TXT "v=spf1 -all"'], {}, "www"],
    [
      "a record that external-dns reads it for",
      "MarkerAmbiguous",
      [...BOTH, "www 300 MX 10 mx.example.com"],
      {},
      "MX www.example.org",
    ],
    [
      "a text that external-dns reads it for",
      "MarkerAmbiguous",
      [A, far, 'www 300 TXT "v=spf1 -all"'],
      { nameTemplate: PREFIX },
      "TXT www.example.org",
    ],
    [
      "a record of another name that it may be the marker of",
      "MarkerAmbiguous",
      [A, typed("ext"), far, "txt.www 300 A 192.0.2.2"],
      { readAlso: [PREFIX] },
      "A txt.www.example.org",
    ],
  ])("%s holds it, and nothing is written", async (_, code, lines, options, about) => {
    for (const atomic of [true, false]) {
      const zone = zoneOf(...lines);
      const { seen, held, messages } = await taken(zone, { ...options, atomic });
      expect([seen, held]).toEqual([[], [code]]);
      expect(messages[0]).toContain(about);
      expect(messages[0]).toContain("take the record over");
    }
  });

  test("what has a marker of its own beside, and the zone's own name servers, hold nothing", async () => {
    const own = `mx-www 300 TXT ${text("ext")}`;
    const mail = ["www 300 MX 10 mx.example.com", own];
    const zone = zoneOf(...BOTH, ...mail, A_BELOW, "@ 300 NS ns1.example.com");
    expect((await taken(zone)).held).toEqual([]);
    expect(showZone(zone.all())).toBe(
      zoneText(A, typed("me"), ...mail, A_BELOW, "@ 300 NS ns1.example.com"),
    );
  });
});

describe("Z-9: a transfer that moved one of two markers is finished by giving the order again", () => {
  test.each([
    ["the typed one had moved", [A, typed("me"), legacy("ext")], DONE],
    ["the legacy one had moved", [A, typed("ext"), legacy("me")], zoneText(A, legacy("me"))],
  ])("%s", async (_, lines, end) => {
    for (const atomic of [true, false]) {
      const zone = zoneOf(...lines);
      expect(await taken(zone, { atomic, ends: "ext" })).toMatchObject({ seen: [end] });
      expect(showZone(zone.all())).toBe(end);
    }
  });

  test("a text that shares the marker that stays is no bar", async () => {
    const own = [legacy("me"), 'www 300 TXT "v=spf1 -all"'];
    const zone = zoneOf(A, typed("ext"), ...own);
    expect(await taken(zone, { ends: "ext" })).toMatchObject({ seen: [zoneText(A, ...own)] });
  });

  test.each<[string, Options, readonly string[], string]>([
    ["without an order to end a claim", {}, [A, typed("me"), legacy("ext")], "Contested"],
    ["for another owner", { ends: "who" }, [A, typed("me"), legacy("ext")], "Contested"],
    [
      "where a third one claims it",
      { ends: "ext" },
      [A, typed("me"), legacy("ext"), `_owner.a.www 300 TXT ${text("who")}`],
      "Contested",
    ],
    [
      "where it is no claim of ours",
      { ends: "ext" },
      [A, typed("who"), legacy("ext")],
      "Contested",
    ],
    [
      "where a text shares the marker that would go",
      { ends: "ext" },
      [A, typed("me"), legacy("ext"), 'www 300 TXT "v=spf1 -all"'],
      "MarkerShared",
    ],
  ])("%s nothing is written", async (_, options, lines, code) => {
    const zone = zoneOf(...lines);
    const { seen, held } = await taken(zone, options);
    expect([seen, [...new Set(held)]]).toEqual([[], [code]]);
  });
});
