import { describe, expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  shortName,
} from "../../../test/support/values/zone-text.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Change, KeyChange } from "../../plan/changes.ts";
import { planName } from "../../plan/plan.ts";
import type { PlanRules } from "../../plan/rules.ts";
import { dataHash } from "../data-hash.ts";
import { parseMarkerText } from "./marker-value.ts";
import { openTxtOwnership } from "./ownership.ts";
import { givesRights } from "./pending.ts";

const H = "heritage=external-dns,external-dns/cluster=c1,";
const REST = "external-dns/resource=service/default/web";
/** Final marker of an owner. */
const m = (owner: string) => `"${H}external-dns/owner=${owner},${REST}"`;
const hash = (line: string | null) => {
  const [set] = line === null ? [] : parseZone(line);
  return set === undefined ? "" : dataHash(set);
};
/** Pending marker between two data lines; null = no record. */
const p = (present: string | null, next: string | null, owner = "me") =>
  `"${H}external-dns/data=${hash(present)}+${hash(next)},external-dns/owner=${owner},${REST},external-dns/state=pending"`;

const ONE = "www 300 A 192.0.2.1";
const TWO = "www 300 A 192.0.2.2";
const FOREIGN = "www 300 A 203.0.113.9";
const ME = m("me");

interface Round {
  readonly zone?: string;
  readonly desired?: string;
  readonly rules?: Partial<PlanRules>;
  /** Which changes are not held by what looks at the plan last; default all. */
  readonly passes?: (change: KeyChange) => boolean;
}

/**
 * Prepares a name on a provider that is not atomic: the next write and those that follow, or the
 * holds.
 */
async function sequence(
  name: string,
  { zone: text = "", desired = "", rules, passes = () => true }: Round,
) {
  const zone = new ZoneModel(parseZone(text), { atomic: false });
  const isOwnedByUs = (owner: string) => owner.startsWith("me");
  const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs, atomic: false });
  const owner = nameOf(name);
  const current = (await ownership.read(zone.all())).filter((one) => one.name === owner);
  const recordSets = parseDesired(desired).filter((one) => one.name === owner);
  const plan = planName(owner, recordSets, current, rulesWith(rules));
  const passed = { ...plan, changes: plan.changes.filter(passes) };
  const prepared = await ownership.prepare(passed, zone);
  const holds = [...plan.holds, ...(prepared.holds ?? [])].map((hold) => `! ${hold.code}`);
  if (!prepared.ok || prepared.group.changes.length === 0)
    return { holds, writes: [], group: null };
  const { group } = prepared;
  expect(group.changes).toHaveLength(1);
  const writes = [...group.changes, ...(group.rest?.writes ?? [])].map(writeText);
  return { holds, writes, group };
}

const setText = ({ name, type, values }: RecordSet) =>
  `${shortName(name)} ${type} ${values.join(" ")}`;
function writeText(change: Change): string {
  if (change.op === "create") return `+ ${setText(change.next)}`;
  return change.op === "remove" ? `- ${setText(change.previous)}` : `~ ${setText(change.next)}`;
}

describe("Z-10 a name is written step by step", () => {
  test("create: pending marker, data, final marker", async () => {
    const { writes } = await sequence("www", { desired: ONE });
    expect(writes).toEqual([
      `+ a-www TXT ${p(null, ONE)}`,
      "+ www A 192.0.2.1",
      `~ a-www TXT ${ME}`,
    ]);
  });

  test("update: the pending marker covers the present and the next data", async () => {
    const zone = `${ONE}\na-www 300 TXT ${ME}`;
    const { writes, group } = await sequence("www", { zone, desired: TWO });
    expect(writes).toEqual([
      `~ a-www TXT ${p(ONE, TWO)}`,
      "~ www A 192.0.2.2",
      `~ a-www TXT ${ME}`,
    ]);
    expect(group?.preconditions).toContainEqual({ is: "exact", set: parseZone(ONE)[0] });
  });

  test("remove: a marker on its way out, data, no marker", async () => {
    const { writes } = await sequence("www", { zone: `${ONE}\na-www 300 TXT ${ME}` });
    expect(writes).toEqual([
      `~ a-www TXT ${p(ONE, null)}`,
      "- www A 192.0.2.1",
      `- a-www TXT ${p(ONE, null)}`,
    ]);
  });

  test("a second marker without rights goes, and leaves the marker of what stands alone (simulator, F19 73)", async () => {
    const [speaking, late] = [p(TWO, ONE), p(null, TWO)];
    const zone = `${ONE}\na-www 300 TXT ${speaking}\n_owner.a.www 300 TXT ${late}`;
    const passes = ({ change }: KeyChange): boolean => change === null;
    const withdrawn = p(null, TWO).replace(`+${hash(TWO)}`, `${hash(TWO)}+`);
    expect((await sequence("www", { zone, passes })).writes).toEqual([
      `~ _owner.a.www TXT ${withdrawn}`,
      `- _owner.a.www TXT ${withdrawn}`,
    ]);
    const whole = (await sequence("www", { zone })).writes;
    expect(whole.filter((write) => write.startsWith("- "))).toEqual([
      "- www A 192.0.2.1",
      `- a-www TXT ${p(ONE, null).replace("+", `.${hash(TWO)}+`)}`,
      `- _owner.a.www TXT ${withdrawn}`,
    ]);
  });

  test("a marker that names another object goes when the final one stands, or where it was left (F07 731)", async () => {
    const old = ME.replace("service/default/web", "dnsentry/default/old");
    const left = `_owner.a.www 300 TXT ${old}`;
    const gone = `- _owner.a.www TXT ${old}`;
    const before = await sequence("www", {
      zone: `${ONE}\na-www 300 TXT ${old}\n${left}`,
      desired: TWO,
    });
    expect(before.writes).toEqual([
      `~ a-www TXT ${p(ONE, TWO)}`,
      "~ www A 192.0.2.2",
      `~ a-www TXT ${ME}`,
      gone,
    ]);
    const after = `${ONE}\na-www 300 TXT ${ME}\n${left}`;
    expect((await sequence("www", { zone: after, desired: ONE })).writes).toEqual([gone]);
  });

  test("a change of type: old data goes as late as new data allows", async () => {
    const zone = `${ONE}\na-www 300 TXT ${ME}`;
    const alias = "www 300 CNAME lb.example.com";
    expect((await sequence("www", { zone, desired: alias })).writes).toEqual([
      `~ a-www TXT ${p(ONE, null)}`,
      `+ cname-www TXT ${p(null, alias)}`,
      "- www A 192.0.2.1",
      "+ www CNAME lb.example.com",
      `~ cname-www TXT ${ME}`,
      `- a-www TXT ${p(ONE, null)}`,
    ]);
  });

  test("a change between types that may stand together has an answer all the while", async () => {
    const aaaa = "www 300 AAAA 2001:db8::1";
    const zone = `${aaaa}\naaaa-www 300 TXT ${ME}`;
    expect((await sequence("www", { zone, desired: ONE })).writes).toEqual([
      `+ a-www TXT ${p(null, ONE)}`,
      `~ aaaa-www TXT ${p(aaaa, null)}`,
      "+ www A 192.0.2.1",
      "- www AAAA 2001:db8::1",
      `~ a-www TXT ${ME}`,
      `- aaaa-www TXT ${p(aaaa, null)}`,
    ]);
  });

  test("another object stays one step", async () => {
    const zone = `${ONE}\na-www 300 TXT ${ME}`;
    const { writes, group } = await sequence("www", {
      zone,
      desired: `${ONE} ; from=service/b/y`,
    });
    expect(writes).toEqual([
      `~ a-www TXT "${H}external-dns/owner=me,external-dns/resource=service/b/y"`,
    ]);
    expect(group?.rest).toBeUndefined();
  });

  test("another TTL asks for the marker first, which may be another's by now (simulator, F12 141)", async () => {
    const zone = `${ONE}\na-www 300 TXT ${ME}`;
    expect((await sequence("www", { zone, desired: "www 60 A 192.0.2.1" })).writes).toEqual([
      `~ a-www TXT ${p(ONE, ONE)}`,
      "~ www A 192.0.2.1",
      `~ a-www TXT ${ME}`,
    ]);
  });

  test("a record is taken over under a pending marker, so that its present form is looked at again", async () => {
    const rules: Partial<PlanRules> = { adoption: { mode: "equal" } };
    expect((await sequence("www", { zone: ONE, desired: ONE, rules })).writes).toEqual([
      `+ a-www TXT ${p(ONE, ONE)}`,
      `~ a-www TXT ${ME}`,
    ]);
  });

  test("Z-11 a marker that makes room is copied before it goes", async () => {
    const marked = `foo 300 A 192.0.2.1\na-foo 300 TXT ${ME}`;
    const alias = "a-foo 300 CNAME lb.example.com";
    const writes = [
      `+ cname-a-foo TXT ${p(null, alias)}`,
      `+ _owner.a.foo TXT ${ME}`,
      `- a-foo TXT ${ME}`,
      "+ a-foo CNAME lb.example.com",
      `~ cname-a-foo TXT ${ME}`,
    ];
    expect((await sequence("a-foo", { zone: marked, desired: alias })).writes).toEqual(writes);
    const copied = `${marked}\n_owner.a.foo 300 TXT ${ME}\ncname-a-foo 300 TXT ${p(null, alias)}`;
    expect((await sequence("a-foo", { zone: copied, desired: alias })).writes).toEqual(
      writes.slice(2),
    );
  });
});

describe("Z-10 whoever comes later goes on from the zone alone", () => {
  test.each<[string, string, string, readonly string[]]>([
    [
      "the data is missing",
      `a-www 300 TXT ${p(null, ONE)}`,
      ONE,
      ["+ www A 192.0.2.1", `~ a-www TXT ${ME}`],
    ],
    ["the data stands", `${ONE}\na-www 300 TXT ${p(null, ONE)}`, ONE, [`~ a-www TXT ${ME}`]],
    [
      "the data is still the old one",
      `${ONE}\na-www 300 TXT ${p(ONE, TWO)}`,
      TWO,
      ["~ www A 192.0.2.2", `~ a-www TXT ${ME}`],
    ],
    [
      "the record set is no longer wanted",
      `${ONE}\na-www 300 TXT ${p(ONE, TWO)}`,
      ONE,
      [`~ a-www TXT ${ME}`],
    ],
    [
      "the desired record set has changed",
      `a-www 300 TXT ${p(null, ONE)}`,
      TWO,
      [`~ a-www TXT ${p(ONE, TWO)}`, "+ www A 192.0.2.2", `~ a-www TXT ${ME}`],
    ],
    [
      "nobody wants what was begun",
      `a-www 300 TXT ${p(null, ONE)}`,
      "",
      [`~ a-www TXT ${p(ONE, null)}`, `- a-www TXT ${p(ONE, null)}`],
    ],
    [
      "our marker stands alone since somebody removed its data",
      `a-www 300 TXT ${ME}`,
      "",
      [`~ a-www TXT ${p(null, null)}`, `- a-www TXT ${p(null, null)}`],
    ],
    [
      "a removal stopped before its data",
      `${ONE}\na-www 300 TXT ${p(ONE, null)}`,
      "",
      ["- www A 192.0.2.1", `- a-www TXT ${p(ONE, null)}`],
    ],
    [
      "a removal stopped before its marker",
      `a-www 300 TXT ${p(ONE, null)}`,
      "",
      [`- a-www TXT ${p(ONE, null)}`],
    ],
    [
      "what was on its way out is wanted again",
      `a-www 300 TXT ${p(ONE, null)}`,
      ONE,
      [`~ a-www TXT ${p(null, ONE)}`, "+ www A 192.0.2.1", `~ a-www TXT ${ME}`],
    ],
    [
      "what was begun arrived after all, and something else is wanted by now",
      `${ONE}\na-www 300 TXT ${p(ONE, TWO)}`,
      "www 300 A 192.0.2.3",
      [
        `~ a-www TXT ${p(ONE, "www 300 A 192.0.2.3").replace("+", `.${hash(TWO)}+`)}`,
        "~ www A 192.0.2.3",
        `~ a-www TXT ${ME}`,
      ],
    ],
  ])("%s", async (_, zone, desired, writes) => {
    expect((await sequence("www", { zone, desired })).writes).toEqual(writes);
  });

  test("a create is finished under create-only, too", async () => {
    const zone = `${ONE}\na-www 300 TXT ${p(null, ONE)}`;
    const rules: Partial<PlanRules> = { policy: "create-only" };
    expect((await sequence("www", { zone, desired: ONE, rules })).writes).toHaveLength(1);
    const final = `${ONE}\na-www 300 TXT ${ME}`;
    expect((await sequence("www", { zone: final, desired: ONE, rules })).writes).toEqual([]);
  });

  test("a marker whose data may still arrive waits before it goes; nothing else does", async () => {
    const begun = `a-www 300 TXT ${p(null, ONE)}`;
    expect((await sequence("www", { zone: begun })).group?.rest?.afterMs).toBe(60_000);
    const afterMs = async (zone: string, desired: string) =>
      (await sequence("www", { zone, desired })).group?.rest?.afterMs;
    expect(await afterMs(begun, TWO)).toBe(0);
    expect(await afterMs(begun, "www 300 TXT hello")).toBe(0);
    expect(await afterMs(`${ONE}\na-www 300 TXT ${p(ONE, TWO)}`, "")).toBe(0);
    expect(await afterMs(`a-www 300 TXT ${ME}`, "")).toBe(0);
  });

  test("Z-15 a change of type that was broken off yields to the record that stands", async () => {
    const alias = "www 300 CNAME lb.example.com ; from=service/a/older created=1";
    const zone = `${ONE}\na-www 300 TXT ${p(ONE, null)}\ncname-www 300 TXT ${p(null, "www 300 CNAME lb.example.com").replace("default/web", "a/older")}`;
    const { writes, holds } = await sequence("www", {
      zone,
      desired: `${ONE} ; created=2\n${alias}`,
      rules: UNPROVEN,
    });
    expect(writes).toEqual([`~ a-www TXT ${ME}`]);
    expect(holds).toContain("! NameTaken");
  });

  test("without proof of absence nothing of it goes (Z-9)", async () => {
    const zone = `a-www 300 TXT ${p(null, ONE)}`;
    expect(await sequence("www", { zone, rules: UNPROVEN })).toMatchObject({
      writes: [],
      holds: ["! NotSynced"],
    });
  });
});

describe("Z-10 a pending marker gives rights to its data and no other", () => {
  test.each<[string, string, string, string]>([
    ["data of somebody else", `${FOREIGN}\na-www 300 TXT ${p(null, ONE)}`, ONE, "ForeignRecord"],
    [
      "data with a value more",
      `${ONE}\n${FOREIGN}\na-www 300 TXT ${p(null, ONE)}`,
      ONE,
      "ForeignRecord",
    ],
    ["a marker of another owner", `a-www 300 TXT ${p(null, ONE, "you")}`, ONE, "ForeignMarker"],
    ["data of another owner", `${ONE}\na-www 300 TXT ${p(null, ONE, "you")}`, TWO, "ForeignRecord"],
    [
      "two owners",
      `${ONE}\na-www 300 TXT ${p(null, ONE)}\n_owner.a.www 300 TXT ${p(null, ONE, "you")}`,
      ONE,
      "Contested",
    ],
  ])("%s holds the record", async (_, zone, desired, code) => {
    expect(await sequence("www", { zone, desired })).toMatchObject({
      writes: [],
      holds: [`! ${code}`],
    });
  });

  test("our marker beside foreign data goes alone, under proof", async () => {
    const zone = `${FOREIGN}\na-www 300 TXT ${p(null, ONE)}`;
    const { writes, group } = await sequence("www", { zone });
    expect(writes).toEqual([`~ a-www TXT ${p(ONE, null)}`, `- a-www TXT ${p(ONE, null)}`]);
    expect(group?.rest?.afterMs).toBe(0);
  });

  test("so it does when another object wants the record and cannot have it", async () => {
    const zone = `${FOREIGN}\na-www 300 TXT ${p(null, ONE)}`;
    const desired = `${TWO} ; from=service/b/y`;
    expect(await sequence("www", { zone, desired })).toMatchObject({
      holds: ["! ForeignRecord"],
      writes: [`~ a-www TXT ${p(ONE, null)}`, `- a-www TXT ${p(ONE, null)}`],
    });
    expect(await sequence("www", { zone, desired, rules: UNPROVEN })).toMatchObject({
      holds: ["! ForeignRecord", "! NotSynced"],
      writes: [],
    });
  });

  test("foreign data beside our marker is taken over only where its key is listed", async () => {
    const keys = [{ name: nameOf("www"), type: "A", setIdentifier: null }];
    const rules: Partial<PlanRules> = { adoption: { mode: "listed", keys } };
    const zone = `${FOREIGN}\na-www 300 TXT ${p(null, ONE)}`;
    expect((await sequence("www", { zone, desired: ONE, rules })).writes).toEqual([
      `~ a-www TXT ${p(FOREIGN, ONE)}`,
      "~ www A 192.0.2.1",
      `~ a-www TXT ${ME}`,
    ]);
  });

  test("a state of a later version gives no rights that it does not list", () => {
    const labels = parseMarkerText(`${H}external-dns/owner=me,external-dns/state=other`) ?? {};
    const [set] = parseZone(ONE);
    expect(set !== undefined && givesRights(labels, set)).toBe(false);
  });

  test("the hash is of the data: not of TTL, order or spelling", () => {
    expect(hash("www 60 A 192.0.2.1\nwww 60 A 192.0.2.2")).toBe(hash(`${TWO}\n${ONE}`));
    const [alias] = parseZone("www 300 CNAME LB.example.com");
    expect(alias && dataHash(alias)).toBe(hash("www 300 CNAME lb.example.com"));
    for (const other of [TWO, "ftp 300 A 192.0.2.1", "www 300 AAAA 2001:db8::1"])
      expect(hash(other)).not.toBe(hash(ONE));
  });

  test("Z-13 a marker that is too long while it is pending holds a create and no removal", async () => {
    const owner = `me${"o".repeat(150)}`;
    const rules = { owners: new Set([owner]), mainOwner: owner };
    expect((await sequence("www", { desired: ONE, rules })).holds).toEqual(["! MarkerTooLong"]);
    const zone = `${ONE}\na-www 300 TXT ${m(owner)}`;
    expect((await sequence("www", { zone, rules })).writes).toEqual([
      "- www A 192.0.2.1",
      `- a-www TXT ${m(owner)}`,
    ]);
  });
});
