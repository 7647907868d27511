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
import type { Precondition } from "../../plan/changes.ts";
import { planName } from "../../plan/plan.ts";
import type { PlanRules } from "../../plan/rules.ts";
import { openTxtOwnership } from "./ownership.ts";
import type { TxtOwnershipOptions } from "./ownership-options.ts";

/** Marker text of an owner, for `service/default/web` unless told. */
const m = (owner: string, resource = "service/default/web") =>
  `"heritage=external-dns,external-dns/cluster=c1,external-dns/owner=${owner},external-dns/resource=${resource}"`;
const ME = m("me");
const YOU = m("you");

const open = (options: Partial<TxtOwnershipOptions> = {}) =>
  openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner.startsWith("me"), ...options });

const lines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");

interface Round {
  readonly zone?: string;
  readonly desired?: string;
  readonly rules?: Partial<PlanRules>;
  readonly options?: Partial<TxtOwnershipOptions>;
}

/** Reads, plans and prepares one name as the zone actor does. */
async function prepare(name: string, round: Round) {
  const zone = new ZoneModel(parseZone(round.zone ?? ""));
  const ownership = open(round.options);
  const owner = nameOf(name);
  const sets = ownership.related(owner).flatMap((one) => zone.at(one));
  const current = (await ownership.read(sets)).filter((one) => one.name === owner);
  const desired = parseDesired(round.desired ?? "").filter((one) => one.name === owner);
  const plan = planName(owner, desired, current, rulesWith(round.rules));
  return { zone, plan, prepared: await ownership.prepare(plan, zone) };
}

/** The zone after one round, or the holds. */
async function zoneAfter(name: string, round: Round): Promise<string> {
  const { zone, plan, prepared } = await prepare(name, round);
  if (!prepared.ok)
    return prepared.holds.map(({ key, code }) => `! ${key.type} ${code}`).join("\n");
  if (plan.holds.length > 0)
    return plan.holds.map(({ key, code }) => `! ${key.type} ${code}`).join("\n");
  expect(zone.apply(prepared.group)).toBe(true);
  return showZone(zone.all());
}

describe("prepare: data and marker in one group", () => {
  test("a create brings its marker", async () => {
    expect(await zoneAfter("www", { desired: "www 300 A 192.0.2.1" })).toBe(
      lines(`a-www 300 TXT ${ME}
             www 300 A 192.0.2.1`),
    );
  });

  test("a removal takes every marker of ours", async () => {
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${ME}\n_owner.a.www 300 TXT ${ME}\nwww 300 TXT ${ME}`;
    expect(await zoneAfter("www", { zone })).toBe("");
  });

  test("a removal takes its marker, exactly as it was read", async () => {
    const odd = '"heritage=external-dns,,external-dns/owner=me,odd=1"';
    expect(await zoneAfter("www", { zone: `www 300 A 192.0.2.1\na-www 60 TXT ${odd}` })).toBe("");
  });

  test("an update of data asserts the marker and leaves it", async () => {
    const round = {
      zone: `www 300 A 192.0.2.1\na-www 300 TXT ${ME}`,
      desired: "www 300 A 192.0.2.2",
    };
    const { prepared } = await prepare("www", round);
    expect(prepared.ok && prepared.group.changes.map((one) => one.op)).toEqual(["replace"]);
    expect(prepared.ok && prepared.group.preconditions.map(conditionText)).toEqual([
      "exact www A 192.0.2.1",
      `exact a-www TXT ${ME}`,
      "absent _owner.a.www TXT",
    ]);
  });

  test("a new winner rewrites the marker where it was found and keeps unknown labels", async () => {
    const found =
      '"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/a/x,external-dns/team=blue"';
    const zone = `www 300 A 192.0.2.1\n_owner.a.www 60 TXT ${found}`;
    expect(await zoneAfter("www", { zone, desired: "www 300 A 192.0.2.1" })).toBe(
      lines(`_owner.a.www 60 TXT "heritage=external-dns,external-dns/cluster=c1,external-dns/owner=me,external-dns/resource=service/default/web,external-dns/team=blue"
             www 300 A 192.0.2.1`),
    );
  });

  const other = (resource: string) => ME.replace("service/default/web", resource);
  const wanted = "www 300 A 192.0.2.1";

  test("an old marker that names another object goes when the record is another's, and later, too (F07 731)", async () => {
    const settled = lines(`a-www 300 TXT ${ME}\n${wanted}`);
    const left = `_owner.a.www 300 TXT ${other("dnsentry/default/old")}`;
    const before = `${wanted}\na-www 300 TXT ${other("dnsentry/default/old")}\n${left}`;
    expect(await zoneAfter("www", { zone: before, desired: wanted })).toBe(settled);
    const after = `${wanted}\na-www 300 TXT ${ME}\n${left}`;
    expect(await zoneAfter("www", { zone: after, desired: wanted })).toBe(settled);
  });

  test("… also where the first one says only a hash: nobody knows whether it names another", async () => {
    const long = `service/default/${"w".repeat(200)}`;
    const desired = `${wanted} ; from=${long}`;
    const zone = await zoneAfter("www", { desired });
    expect(zone).toContain("resource=service/default/~");
    const legacy = `www 300 TXT ${other(long)}`;
    const { plan } = await prepare("www", { zone: `${zone}\n${legacy}`, desired });
    expect(plan.changes).toEqual([]);
  });

  test.each([
    ["the same object", `_owner.a.www 300 TXT ${ME}`],
    ["no object", `_owner.a.www 300 TXT "heritage=external-dns,external-dns/owner=me"`],
    ["a hash", `_owner.a.www 300 TXT ${other("service/default/~0123456789abcdef")}`],
    [
      "another one beside a text",
      `_owner.a.www 300 TXT "hello"\n_owner.a.www 300 TXT ${other("dnsentry/default/old")}`,
    ],
  ])("… one that names %s stays", async (_, line) => {
    const zone = `${wanted}\na-www 300 TXT ${ME}\n${line}`;
    const { plan } = await prepare("www", { zone, desired: wanted });
    expect(plan.changes).toEqual([]);
  });

  test("a type change swaps record and marker in one group", async () => {
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${ME}`;
    expect(await zoneAfter("www", { zone, desired: "www 300 CNAME lb.example.com" })).toBe(
      lines(`cname-www 300 TXT ${ME}
             www 300 CNAME lb.example.com`),
    );
  });

  test("a legacy marker at the name itself makes room for a CNAME", async () => {
    const zone = `www 300 A 192.0.2.1\nwww 300 TXT ${ME}`;
    expect(await zoneAfter("www", { zone, desired: "www 300 CNAME lb.example.com" })).toBe(
      lines(`cname-www 300 TXT ${ME}
             www 300 CNAME lb.example.com`),
    );
  });

  test("an adopted record gets a marker, and its exact state is the precondition", async () => {
    const round: Round = {
      zone: "www 300 A 192.0.2.1",
      desired: "www 300 A 192.0.2.1",
      rules: { adoption: { mode: "equal" } },
    };
    const { prepared } = await prepare("www", round);
    expect(prepared.ok && prepared.group.preconditions.map(conditionText)).toEqual([
      "absent a-www TXT",
      "absent a-www CNAME",
      "exact www A 192.0.2.1",
      "absent _owner.a.www TXT",
    ]);
    expect(await zoneAfter("www", round)).toBe(lines(`a-www 300 TXT ${ME}\nwww 300 A 192.0.2.1`));
  });

  test("half pairs: the marker is filled, or goes with the absence of data asserted", async () => {
    const zone = `a-www 300 TXT ${ME}`;
    expect(await zoneAfter("www", { zone, desired: "www 300 A 192.0.2.1" })).toBe(
      lines(`a-www 300 TXT ${ME}\nwww 300 A 192.0.2.1`),
    );
    const { prepared } = await prepare("www", { zone });
    expect(prepared.ok && prepared.group.preconditions.map(conditionText)).toEqual([
      `exact a-www TXT ${ME}`,
      "absent www A",
      "absent _owner.a.www TXT",
    ]);
    expect(await zoneAfter("www", { zone })).toBe("");
    expect(await zoneAfter("www", { zone: `www 300 TXT ${ME}` })).toBe("");
  });

  test("the cluster is written, and routing policies are copied to the marker", async () => {
    const { prepared } = await prepare("www", {
      desired: "www 300 A 192.0.2.1 ; id=eu policy=weighted",
      options: { markerTtlSeconds: 60 },
    });
    const marker = prepared.ok ? prepared.group.changes[0] : null;
    expect(marker).toMatchObject({
      op: "create",
      next: {
        name: "a-www.example.org",
        ttlSeconds: 60,
        setIdentifier: "eu",
        routingPolicy: { type: "weighted" },
        values: [
          '"heritage=external-dns,external-dns/cluster=c1,external-dns/owner=me,external-dns/resource=service/default/web"',
        ],
      },
    });
  });
});

describe("preconditions (Z-8)", () => {
  const conditions = async (round: Round) => {
    const { prepared } = await prepare("www", round);
    return prepared.ok ? prepared.group.preconditions.map(conditionText) : [];
  };

  test("an address at an empty name", async () => {
    expect(await conditions({ desired: "www 300 A 192.0.2.1" })).toEqual([
      "absent a-www TXT",
      "absent a-www CNAME",
      "absent www A",
      "absent www CNAME",
      "absent _owner.a.www TXT",
    ]);
  });

  test("a CNAME at an empty name", async () => {
    expect(await conditions({ desired: "www 300 CNAME lb.example.com" })).toEqual([
      "absent cname-www TXT",
      "absent cname-www CNAME",
      "unused www",
      "absent _owner.cname.www TXT",
    ]);
  });

  test("a CNAME over ours asserts each of ours and the absence of all else", async () => {
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${ME}`;
    const found = await conditions({ zone, desired: "www 300 CNAME lb.example.com" });
    expect(found.slice(0, 2)).toEqual(["exact www A 192.0.2.1", `exact a-www TXT ${ME}`]);
    for (const type of ["AAAA", "CNAME", "TXT", "MX", "SRV", "NS", "PTR", "CAA"])
      expect(found).toContain(`absent www ${type}`);
    expect(found).not.toContain("absent www A");
  });

  test("every possible marker name is asserted, and no other record there", async () => {
    const round = {
      zone: `www 300 A 192.0.2.1\n_owner.a.www 300 TXT ${ME}\na-www 300 A 192.0.2.9`,
      desired: "www 300 A 192.0.2.2",
      options: { nameTemplate: { prefix: "txt-", suffix: "", wildcard: "" } },
    };
    expect(await conditions(round)).toEqual([
      "exact www A 192.0.2.1",
      `exact _owner.a.www TXT ${ME}`,
      "absent txt-a-www TXT",
      "absent a-www TXT",
    ]);
  });

  test("the apex has one place", async () => {
    const { prepared } = await prepare("@", { desired: "@ 300 A 192.0.2.1" });
    expect(prepared.ok && prepared.group.preconditions.map(conditionText)).toEqual([
      "absent _owner.a TXT",
      "absent _owner.a CNAME",
      "absent @ A",
      "absent @ CNAME",
    ]);
  });

  test("a marker without type and data goes by itself", async () => {
    const found = await conditions({ zone: `www 300 TXT ${ME}` });
    expect(found).toEqual([`exact www TXT ${ME}`]);
  });

  test("a marker of an old format is asserted where it stands", async () => {
    const zone = `www 300 A 192.0.2.1\nwww 300 TXT ${ME}`;
    expect(await conditions({ zone, desired: "www 300 A 192.0.2.2" })).toContain(
      `exact www TXT ${ME}`,
    );
  });

  test("a rewritten marker asserts that its name has no CNAME", async () => {
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${m("me", "service/a/x")}`;
    expect(await conditions({ zone, desired: "www 300 A 192.0.2.1" })).toEqual([
      `exact a-www TXT ${m("me", "service/a/x")}`,
      "absent a-www CNAME",
      "exact www A 192.0.2.1",
      "absent _owner.a.www TXT",
    ]);
  });
});

describe("places (Z-11, Z-12, Z-13)", () => {
  const long = "x".repeat(63);
  test.each([
    ["the apex falls back", "@", "A", "_owner.a"],
    ["a wildcard falls back", "*", "A", "_owner.a._wildcard"],
    ["a label of 63 bytes falls back", long, "A", `_owner.a.${long}`],
  ])("%s", async (_, name, type, markerName) => {
    const zone = await zoneAfter(name, { desired: `${name} 300 ${type} 192.0.2.1` });
    expect(zone).toContain(`${markerName} 300 TXT ${ME}`);
  });

  test("location label: every marker has the fallback form", async () => {
    const round = { desired: "www 300 A 192.0.2.1", options: { markerLocation: "label" } } as const;
    expect(await zoneAfter("www", round)).toBe(
      lines(`_owner.a.www 300 TXT ${ME}\nwww 300 A 192.0.2.1`),
    );
  });

  test.each([
    ["a CNAME", "a-www 300 CNAME x.example.com"],
    ["a user's text", 'a-www 300 TXT "hello"'],
    ["a delegation", "a-www 300 NS ns1.example.com"],
  ])("a place held by %s falls back", async (_, taken) => {
    const zone = await zoneAfter("www", { zone: taken, desired: "www 300 A 192.0.2.1" });
    expect(zone).toContain(`_owner.a.www 300 TXT ${ME}`);
    expect(zone).toContain(taken);
  });

  test("no place: the record is held, not written", async () => {
    const zone = 'a-www 300 TXT "hello"\n_owner.a.www 300 TXT "hello"';
    const round = { zone, desired: "www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1" };
    expect(await zoneAfter("www", round)).toBe("! A NoMarkerPossible\n! AAAA NoMarkerPossible");
    const { prepared } = await prepare("www", round);
    expect(!prepared.ok && prepared.holds.map((hold) => hold.message)).toEqual([
      "a-www.example.org is taken; _owner.a.www.example.org is taken",
      "waits for another record of the name: a-www.example.org is taken; _owner.a.www.example.org is taken",
    ]);
  });

  const OLD = ME.replace("service/default/web", "service/default/old");
  test("what is proven to be unwanted goes, although its neighbour cannot be marked", async () => {
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${OLD}\naaaa-www 300 TXT "x"\n_owner.aaaa.www 300 TXT "x"`;
    const round = { zone, desired: "www 300 AAAA 2001:db8::1" };
    const { prepared } = await prepare("www", round);
    expect(prepared.holds?.map(({ key, code }) => `${key.type} ${code}`)).toEqual([
      "AAAA NoMarkerPossible",
    ]);
    expect(await zoneAfter("www", round)).toBe(
      lines(`_owner.aaaa.www 300 TXT "x"
             aaaa-www 300 TXT "x"`),
    );
    const sharedSecond = `${zone}\n_owner.a.www 300 TXT ${OLD}\n_owner.a.www 300 TXT "hello"`;
    expect((await prepare("www", { ...round, zone: sharedSecond })).prepared.ok).toBe(false);
  });

  test("… all of it", async () => {
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${OLD}\nwww 300 MX 1 m\nmx-www 300 TXT ${OLD}\naaaa-www 300 TXT "x"\n_owner.aaaa.www 300 TXT "x"`;
    const rules = { managedTypes: new Set(["A", "AAAA", "MX"]) };
    const { prepared } = await prepare("www", { zone, rules, desired: "www 300 AAAA 2001:db8::1" });
    const [hold, ...more] = prepared.holds ?? [];
    expect([hold?.key.type, hold?.provenance?.name, more]).toEqual(["AAAA", "web", []]);
    expect(prepared.ok && prepared.group.changes.map(({ op }) => op)).toEqual(
      Array.from({ length: 4 }, () => "remove"),
    );
  });

  test("… but not the last answer of an object that still wants one there", async () => {
    const others = `aaaa-www 300 TXT "x"\n_owner.aaaa.www 300 TXT "x"`;
    const desired = "www 300 AAAA 2001:db8::1";
    const own = `www 300 A 192.0.2.1\na-www 300 TXT ${ME}`;
    const left = async (zone: string) => zoneAfter("www", { zone, desired });
    expect(await left(`${own}\n${others}`)).toContain("! AAAA NoMarkerPossible");
    // Its marker at the name itself is no answer; another's record is one.
    expect(await left(`www 300 A 192.0.2.1\nwww 300 TXT ${ME}\n${others}`)).toContain(
      "! AAAA NoMarkerPossible",
    );
    const zoneWithOther = await left(`${own}\nwww 300 MX 1 m\n${others}`);
    expect(zoneWithOther).not.toContain("192.0.2.1");
  });

  test("a DNAME redirects what lies below, so no fallback below it", async () => {
    const zone = "@ 300 DNAME other.example.com\nsub 300 DNAME x.example.com\na-sub 300 CNAME x";
    expect(await zoneAfter("sub", { zone, desired: "sub 300 A 192.0.2.1" })).toBe(
      "! A NoMarkerPossible",
    );
  });

  test("names too long for any form, and types without fallback", async () => {
    const name = `${"y".repeat(63)}.${"y".repeat(60)}.${"y".repeat(60)}.${"y".repeat(50)}`;
    const round = { desired: `${name} 300 A 192.0.2.1` };
    expect(await zoneAfter(name, round)).toBe("! A NoMarkerPossible");
    const { prepared } = await prepare(name, round);
    expect(!prepared.ok && prepared.holds[0]?.message).toContain("too long");
    const managedTypes = new Set(["NS"]);
    expect(
      await zoneAfter("*", { desired: "* 300 NS ns1.example.com", rules: { managedTypes } }),
    ).toBe("! NS NoMarkerPossible");
  });

  test("under a wildcard a fallback marker needs one atomic batch", async () => {
    const round = {
      zone: '* 300 A 192.0.2.9\na-w 300 TXT "taken"',
      desired: "w 300 A 192.0.2.1",
    };
    expect(await zoneAfter("w", { ...round, options: { atomic: false } })).toBe(
      "! A NoMarkerPossible",
    );
    expect(await zoneAfter("w", { ...round, options: { atomic: true } })).toContain(
      "_owner.a.w 300 TXT",
    );
    const without = { zone: 'a-w 300 TXT "taken"', desired: round.desired };
    expect(await zoneAfter("w", { ...without, options: { atomic: false } })).toContain(
      "_owner.a.w 300 TXT",
    );
  });

  test("a long resource is shortened; an owner that is too long is held", async () => {
    const from = `service/default/${"n".repeat(240)}`;
    const round = { desired: `www 300 A 192.0.2.1 ; from=${from}` };
    const zone = await zoneAfter("www", round);
    expect(zone).toMatch(/external-dns\/resource=service\/default\/~[0-9a-f]{16}"/);
    const again = await prepare("www", { ...round, zone });
    expect(again.plan.changes).toEqual([]);
    const owner = `me${"o".repeat(240)}`;
    const rules = { owners: new Set([owner]), mainOwner: owner };
    expect(await zoneAfter("www", { desired: "www 300 A 192.0.2.1", rules })).toBe(
      "! A MarkerTooLong",
    );
  });
});

describe("collisions with wanted records (Z-11)", () => {
  const marked = `foo 300 A 192.0.2.1\na-foo 300 TXT ${ME}`;
  test.each([
    ["CNAME", "a-foo 300 CNAME lb.example.com", "cname-a-foo"],
    ["TXT", 'a-foo 300 TXT "hello"', "txt-a-foo"],
  ])("a %s wanted at our marker's name moves the marker", async (_, desired, marker) => {
    const zone = await zoneAfter("a-foo", { zone: marked, desired });
    expect(zone.split("\n").sort()).toEqual(
      [
        `_owner.a.foo 300 TXT ${ME}`,
        desired,
        `${marker} 300 TXT ${ME}`,
        "foo 300 A 192.0.2.1",
      ].sort(),
    );
  });

  test.each([
    ["another's marker", `foo 300 A 192.0.2.1\na-foo 300 TXT ${YOU}`],
    ["a set that is shared", `${marked}\na-foo 300 TXT "other"`],
  ])("%s does not move", async (_, zone) => {
    const found = await zoneAfter("a-foo", { zone, desired: "a-foo 300 CNAME lb.example.com" });
    expect(found).toMatch(/^! CNAME (NameInUse|ForeignRecord)$/);
  });

  test("a marker that finds no other place does not move", async () => {
    const zone = `${marked}\n_owner.a.foo 300 TXT "taken"`;
    expect(await zoneAfter("a-foo", { zone, desired: "a-foo 300 CNAME lb.example.com" })).toBe(
      "! CNAME NoMarkerPossible",
    );
  });

  test("a record that a marker at its name allows is written", async () => {
    expect(await zoneAfter("a-foo", { zone: marked, desired: "a-foo 300 A 192.0.2.2" })).toContain(
      "a-foo 300 A 192.0.2.2",
    );
  });

  test("a text that has the form of a marker is never written", async () => {
    expect(await zoneAfter("a-victim", { desired: `a-victim 300 TXT ${ME}` })).toBe(
      "! TXT LooksLikeMarker",
    );
  });

  test("our marker in one set with a foreign text is never rewritten or removed", async () => {
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${ME}\na-www 300 TXT "other"`;
    expect(await zoneAfter("www", { zone })).toBe("! A MarkerShared");
    const moved = "www 300 A 192.0.2.1 ; from=service/b/y";
    expect(await zoneAfter("www", { zone, desired: moved })).toBe("! A MarkerShared");
    expect(await zoneAfter("www", { zone, desired: "www 300 A 192.0.2.2" })).toContain("192.0.2.2");
  });

  test("our text in one set with a marker is not rewritten", async () => {
    const zone = `www 300 TXT ${ME}\nwww 300 TXT "hello"`;
    const rules: Partial<PlanRules> = {
      adoption: {
        mode: "listed",
        keys: [{ name: nameOf("www"), type: "TXT", setIdentifier: null }],
      },
    };
    expect(await zoneAfter("www", { zone, desired: 'www 300 TXT "new"', rules })).toBe(
      "! TXT MarkerShared",
    );
  });

  test("a marker that came after the plan stops the group", async () => {
    const { plan } = await prepare("www", { desired: "www 300 A 192.0.2.1" });
    const prepared = await open().prepare(plan, new ZoneModel(parseZone(`a-www 300 TXT ${YOU}`)));
    expect(!prepared.ok && prepared.holds.map((hold) => [hold.code, hold.message])).toEqual([
      ["Contested", "another marker claims the record"],
    ]);
  });
});

function conditionText(one: Precondition): string {
  if (one.is === "name-unused") return `unused ${shortName(one.name)}`;
  if (one.is === "absent") return `absent ${shortName(one.key.name)} ${one.key.type}`;
  return `exact ${shortName(one.set.name)} ${one.set.type} ${one.set.values.join(" ")}`;
}
