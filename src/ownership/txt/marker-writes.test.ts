/**
 * What a marker's text keeps, drops and has room for, and the very writes that providers get (Z-10,
 * Z-13).
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
import { settle, step } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import type { Change } from "../../plan/changes.ts";
import type { PlanRules } from "../../plan/rules.ts";
import { dataHash } from "../data-hash.ts";
import { openTxtOwnership } from "./ownership.ts";

const m = (owner: string, before = "", after = "") =>
  `"heritage=external-dns,external-dns/cluster=c1,${before}external-dns/owner=${owner},external-dns/resource=service/default/web${after}"`;
const ME = m("me");
const ONE = "www 300 A 192.0.2.1";
const TWO = "www 300 A 192.0.2.2";
const hash = (line: string): string => parseZone(line).map(dataHash).join("");
const pending = (data: string, team = "") =>
  m("me", `external-dns/data=${data},`, `,external-dns/state=pending${team}`);

function worldOf(text: string, desired: string, atomic: boolean, rules: Partial<PlanRules> = {}) {
  const isOwnedByUs = (owner: string) => owner.startsWith("me");
  return {
    zone: new ZoneModel(parseZone(text), { atomic }),
    ownership: openTxtOwnership({ apex: ORIGIN, isOwnedByUs, atomic }),
    desired: parseDesired(desired),
    rules: rulesWith(rules),
  };
}

/** The writes of one name, in order; and the wait before those behind the first. */
async function written(text: string, desired: string, atomic = false) {
  const { group, holds } = await step(nameOf("www"), worldOf(text, desired, atomic));
  const writes = [...(group?.changes ?? []), ...(group?.rest?.writes ?? [])].map(
    (change: Change) => {
      const { name, type } = change.op === "remove" ? change.previous : change.next;
      return `${change.op} ${shortName(name)} ${type}`;
    },
  );
  return { writes, afterMs: group?.rest?.afterMs, resumes: group?.resumes, holds };
}

/** The zone after all rounds. */
async function settled(text: string, desired: string, rules: Partial<PlanRules> = {}) {
  const world = worldOf(text, desired, true, rules);
  await settle(world);
  return showZone(world.zone.all());
}

describe("what a rewritten marker says", () => {
  test.each([
    ["labels of others stay", m("me", "", ",external-dns/team=blue"), "external-dns/team=blue"],
    ["the cluster of another object goes", m("me").replace("cluster=c1", "cluster=c9"), null],
    ["a cluster that was missing comes", m("me").replace("external-dns/cluster=c1,", ""), null],
    [
      "a signature of another text goes where nobody signs",
      m("me", "", ",external-dns/sig=k1.abc"),
      null,
    ],
  ])("%s", async (_, found, kept) => {
    const zone = `${ONE}\na-www 300 TXT ${found.replace("default/web", "default/old")}`;
    const [marker] = (await settled(zone, ONE)).split("\n");
    const after = kept === null ? "" : `,${kept}`;
    expect(marker).toBe(`a-www 300 TXT ${m("me", "", after)}`);
  });
});

describe("a missing cluster", () => {
  const before = `${ONE}\na-www 300 TXT ${ME.replace("external-dns/cluster=c1,", "")}`;

  test("is no difference", async () => {
    expect(await written(before, ONE)).toEqual({ writes: [], holds: [] });
  });

  test("comes with the next change of the data", async () => {
    expect(await settled(before, TWO)).toBe(`a-www 300 TXT ${ME}\n${TWO}`);
  });
});

describe("room for a marker", () => {
  // 255 bytes with the object in full and the cluster; the owner's id makes up for the rest.
  const full = 255 - (ME.length - 2);
  const CLUSTER = ",external-dns/cluster=c1";
  const owned = (more: number): [string, Partial<PlanRules>] => {
    const owner = `me${"o".repeat(full + more)}`;
    return [owner, { owners: new Set([owner]), mainOwner: owner }];
  };

  test("255 bytes fit", async () => {
    const [owner, rules] = owned(0);
    const zone = await settled("", ONE, rules);
    expect(zone).toContain(`a-www 300 TXT ${m(owner)}`);
  });

  test("one byte more costs the cluster, and no record; it does not come and go", async () => {
    const [owner, rules] = owned(1);
    const zone = await settled("", ONE, rules);
    expect(zone).toBe(`a-www 300 TXT ${m(owner).replace(CLUSTER, "")}\n${ONE}`);
    expect(await settled(zone, ONE, rules)).toBe(zone);
    expect(await settled(zone, TWO, rules)).toBe(zone.replace(ONE, TWO));
  });

  test.each([
    ["what has no room without its cluster", owned(1 + CLUSTER.length)[0]],
    ["an id with a comma does not fit at any length", "me,you"],
  ])("%s: the record is held, and it is said", async (_, owner) => {
    const rules = { owners: new Set([owner]), mainOwner: owner };
    const { group, holds } = await step(nameOf("www"), worldOf("", ONE, true, rules));
    expect(group).toBeNull();
    expect(holds.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "MarkerTooLong: the marker does not fit 255 bytes of printable text",
    ]);
  });

  test("what was begun before is left out of a pending marker that has no room for it", async () => {
    const begun = `${hash(ONE)}.${"1".repeat(16)}+${"2".repeat(16)}`;
    const bytes = pending(begun).length - 2;
    const text = (team: number) => {
      const label = `,external-dns/team=${"t".repeat(team)}`;
      return `${ONE}\na-www 300 TXT ${pending(begun, label)}`;
    };
    const room = 255 - bytes + CLUSTER.length - ",external-dns/team=".length;
    const first = async (zone: string) => {
      const { group } = await step(nameOf("www"), worldOf(zone, TWO, false));
      const [write] = group?.changes ?? [];
      return write?.op === "replace" ? write.next.values[0] : undefined;
    };
    expect(await first(text(room - 17))).toContain(
      `data=${hash(ONE)}.${"1".repeat(16)}.${"2".repeat(16)}+${hash(TWO)},`,
    );
    expect(await first(text(room))).toContain(`data=${hash(ONE)}+${hash(TWO)},`);
  });
});

describe("the writes, one by one", () => {
  test.each<[string, string, string, readonly string[]]>([
    ["a create", "", ONE, ["create a-www TXT", "create www A", "replace a-www TXT"]],
    [
      "a change",
      `${ONE}\na-www 300 TXT ${ME}`,
      TWO,
      ["replace a-www TXT", "replace www A", "replace a-www TXT"],
    ],
    [
      "a removal takes every marker",
      `${ONE}\na-www 300 TXT ${ME}\n_owner.a.www 300 TXT ${ME}`,
      "",
      ["replace a-www TXT", "remove www A", "remove a-www TXT", "remove _owner.a.www TXT"],
    ],
    [
      "a marker without data goes after it said so",
      `a-www 300 TXT ${ME}`,
      "",
      ["replace a-www TXT", "remove a-www TXT"],
    ],
    [
      "a marker that said so already goes at once",
      `a-www 300 TXT ${pending(`${hash(ONE)}+`)}`,
      "",
      ["remove a-www TXT"],
    ],
  ])("%s", async (_, zone, desired, writes) => {
    expect((await written(zone, desired)).writes).toEqual(writes);
  });

  test.each<[string, boolean, readonly string[]]>([
    [
      "in one call",
      true,
      ["remove www A", "remove www TXT", "create cname-www TXT", "create www CNAME"],
    ],
    [
      "step by step: what is in the way goes first, and once",
      false,
      [
        "replace www TXT",
        "create cname-www TXT",
        "remove www A",
        "remove www TXT",
        "create www CNAME",
        "replace cname-www TXT",
      ],
    ],
  ])("another type over an old marker: %s", async (_, atomic, writes) => {
    const zone = `${ONE}\nwww 300 TXT ${ME}`;
    const found = (await written(zone, "www 300 CNAME lb.example.com", atomic)).writes;
    expect(found).toEqual(writes);
  });

  test("two that may be late wait for each other's word, not for their data", async () => {
    const begun = `a-www 300 TXT ${pending(`+${hash(ONE)}`)}`;
    const other = `mx-www 300 TXT ${pending(`+${hash(TWO)}`)}`;
    expect((await written(`${begun}\n${other}`, "")).afterMs).toBe(0);
  });

  test("what is to be written besides does not wait", async () => {
    const begun = `a-www 300 TXT ${pending(`+${hash(ONE)}`)}`;
    const other = `www 300 AAAA 2001:db8::1\naaaa-www 300 TXT ${ME.replace("default/web", "b/old")}`;
    const { writes, afterMs } = await written(`${begun}\n${other}`, "www 300 AAAA 2001:db8::1");
    expect(writes).toEqual(["replace a-www TXT", "replace aaaa-www TXT", "remove a-www TXT"]);
    expect(afterMs).toBe(0);
  });

  test("a marker whose data may still arrive waits, whatever other record the name has", async () => {
    const begun = `a-www 300 TXT ${pending(`+${hash(ONE)}`)}`;
    expect((await written(`${begun}\nwww 300 MX 1 mail`, "")).afterMs).toBe(60_000);
  });

  test("… also while another one goes at once", async () => {
    const begun = `a-www 300 TXT ${pending(`+${hash(ONE)}`)}`;
    const left = `aaaa-www 300 TXT ${pending(`${hash(TWO)}+`)}`;
    const { writes, afterMs } = await written(`${begun}\n${left}`, "");
    expect(writes).toEqual(["replace a-www TXT", "remove a-www TXT", "remove aaaa-www TXT"]);
    expect(afterMs).toBe(60_000);
  });

  test("a second marker that names the same object stays", async () => {
    const zone = `a-www 300 TXT ${ME}\n_owner.a.www 300 TXT ${ME}`;
    expect(await settled(`${zone}\n${ONE}`, TWO)).toBe(showZone(parseZone(`${zone}\n${TWO}`)));
  });

  test("also beside one of another type whose data stands", async () => {
    const begun = `a-www 300 TXT ${pending(`+${hash(ONE)}`)}`;
    const other = `www 300 MX 1 mail\nmx-www 300 TXT ${ME}`;
    const { writes } = await written(`${begun}\n${other}`, "www 300 MX 1 mail");
    expect(writes).toEqual(["replace a-www TXT", "remove a-www TXT"]);
  });

  test("the first step of a sequence does not resume one, the next does", async () => {
    const start = `${ONE}\na-www 300 TXT ${ME}`;
    expect((await written(start, TWO)).resumes).toBeUndefined();
    const next = `${ONE}\na-www 300 TXT ${pending(`${hash(ONE)}+${hash(TWO)}`)}`;
    expect((await written(next, TWO)).resumes).toBe(true);
  });
});
