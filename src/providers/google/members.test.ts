/**
 * Routing policies of google-clouddns on its fake: members are items of one record set, which is
 * read, deleted as it is and added anew; what others have in it stays.
 */
import { describe, expect, test } from "vitest";
import {
  applyOnce,
  create,
  group,
  mustApply,
  recordSet,
  remove,
  replace,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { googleFixture } from "../../../test/support/fakes/google/fixture.ts";
import { openGoogle } from "../../../test/support/fakes/google/harness.ts";
import type { FakePolicy } from "../../../test/support/fakes/google/managed-zone.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup } from "../../plan/changes.ts";

const WWW = "www.example.org";
const google = googleFixture();

function weighted(position: string, weight: string, value = `192.0.2.${position}`): RecordSet {
  const routingPolicy = { type: "weighted", parameters: { weight } };
  return { ...recordSet(WWW, "A", value), setIdentifier: position, routingPolicy };
}

function located(location: string, value = "192.0.2.9"): RecordSet {
  const routingPolicy = { type: "geolocation", parameters: { location } };
  return { ...recordSet(WWW, "A", value), setIdentifier: location, routingPolicy };
}

/** Weight or location and data of each item; empty = no record set. */
function items(): readonly string[] {
  const policy = google.zone.sets.find(
    ({ name, type }) => name === `${WWW}.` && type === "A",
  )?.routingPolicy;
  const all = [...(policy?.wrr?.items ?? []), ...(policy?.geo?.items ?? [])];
  return all.map(({ weight, location, rrdatas = [] }) => `${weight ?? location} ${rrdatas}`);
}

async function read(): Promise<readonly string[]> {
  const { sets } = await google.session.records(
    await zoneOf(google.session),
    [recordSet(WWW, "A", "192.0.2.1").name],
    soon(),
  );
  return sets.map(({ setIdentifier, values }) => `${setIdentifier} ${values}`);
}

function putForeign(routingPolicy: FakePolicy, ttl = 900): void {
  google.zone.put({ name: `${WWW}.`, type: "A", ttl, routingPolicy });
}

const HERE = {
  setIdentifier: "europe-west1",
  routingPolicy: { type: "geolocation", parameters: { location: "europe-west1" } },
};

const writes = (): number =>
  google.fake.takeCalls().filter(({ path }) => path.endsWith("/changes")).length;

describe("members", () => {
  test("come and go one by one; free positions have placeholders in between only", async () => {
    await mustApply(google.session, [create(weighted("2", "10"))]);
    expect(items()).toEqual(["0 233.252.0.1", "0 233.252.0.1", "10 192.0.2.2"]);
    expect(await read()).toEqual(["2 192.0.2.2"]);
    await mustApply(google.session, [create(weighted("0", "90.5"))]);
    expect(items()).toEqual(["90.5 192.0.2.0", "0 233.252.0.1", "10 192.0.2.2"]);
    await mustApply(google.session, [replace(weighted("0", "90.5"), weighted("0", "0"))]);
    expect(items()).toEqual(["0 192.0.2.0", "0 233.252.0.1", "10 192.0.2.2"]);
    await mustApply(google.session, [remove(weighted("2", "10"))]);
    expect(items()).toEqual(["0 192.0.2.0"]);
    await mustApply(google.session, [remove(weighted("0", "0"))]);
    expect(google.zone.sets.map(({ type }) => type)).toEqual(["NS", "SOA"]);
    expect(writes(), "each change is one call").toBe(5);
  });

  test("change their kind in one call, and become a plain record and back", async () => {
    const { name } = weighted("0", "1");
    const change = (previous: readonly RecordSet[], next: readonly RecordSet[]) =>
      group(name, [
        ...previous.map((one) => ({ op: "remove" as const, previous: one })),
        ...next.map((one) => ({ op: "create" as const, next: one })),
      ]);
    const both = [weighted("0", "1"), weighted("1", "2")];
    const locatedSets = [located("europe-west1"), located("us-east1")];
    const plain = [recordSet(WWW, "A", "192.0.2.7")];
    await mustApply(google.session, [change([], plain)]);
    await mustApply(google.session, [change(plain, both)]);
    expect(items()).toEqual(["1 192.0.2.0", "2 192.0.2.1"]);
    await mustApply(google.session, [change(both, locatedSets)]);
    expect(items()).toEqual(["europe-west1 192.0.2.9", "us-east1 192.0.2.9"]);
    await mustApply(google.session, [change(locatedSets, plain)]);
    expect(await read()).toEqual(["null 192.0.2.7"]);
  });

  test("what others have in the record set stays as it is", async () => {
    const east = { location: "us-east1", rrdatas: ["192.0.2.8"], healthCheckedTargets: { a: 1 } };
    putForeign({ geo: { enableFencing: true, items: [east] } });
    expect(await read()).toEqual(["us-east1 192.0.2.8"]);
    await mustApply(google.session, [create({ ...located("europe-west1"), ttlSeconds: 300 })]);
    const [set] = google.zone.sets.filter(({ routingPolicy }) => routingPolicy !== undefined);
    const own = { location: "europe-west1", rrdatas: ["192.0.2.9"] };
    expect(set?.routingPolicy).toEqual({ geo: { enableFencing: true, items: [east, own] } });
    expect(set?.ttl, "a TTL that is not ours").toBe(900);
  });

  test("a change of TTL is one for all members", async () => {
    await mustApply(google.session, [create(weighted("0", "1"))]);
    await mustApply(google.session, [create(weighted("1", "1"))]);
    const slow = { ...weighted("1", "1"), ttlSeconds: 3600 };
    await mustApply(google.session, [replace(weighted("1", "1"), slow)]);
    expect(google.zone.sets.find(({ type }) => type === "A")?.ttl).toBe(3600);
  });
});

describe("what somebody else did meanwhile", () => {
  const foreign: FakePolicy = { wrr: { items: [{ weight: 5, rrdatas: ["198.51.100.1"] }] } };

  test("refuses the change; after a reading it is made beside it", async () => {
    putForeign(foreign);
    const [refused] = await applyOnce(google.session, [create(weighted("1", "1"))]);
    expect(refused?.status).toBe("precondition-failed");
    expect(await read()).toEqual(["0 198.51.100.1"]);
    await mustApply(google.session, [create(weighted("1", "1"))]);
    expect(items()).toEqual(["5 198.51.100.1", "1 192.0.2.1"]);
  });

  test("is seen without a call where the reading has it", async () => {
    putForeign(foreign);
    await read();
    writes();
    const groups = [
      create(weighted("0", "1")),
      replace(weighted("0", "7"), weighted("0", "8")),
      remove(weighted("3", "1")),
      create(located("us-east1")),
      create(recordSet(WWW, "A", "192.0.2.1")),
    ];
    for (const one of groups) {
      const [outcome] = await applyOnce(google.session, [one]);
      expect(outcome?.status).toBe("precondition-failed");
    }
    expect([writes(), items()]).toEqual([0, ["5 198.51.100.1"]]);
  });

  test("a member that changed between reading and writing is not overwritten", async () => {
    await mustApply(google.session, [create(weighted("0", "1"))]);
    putForeign(foreign);
    const [outcome] = await applyOnce(google.session, [remove(weighted("0", "1"))]);
    expect(outcome?.status).toBe("precondition-failed");
    expect(items()).toEqual(["5 198.51.100.1"]);
  });

  test("a record set that is gone is no memory of the session", async () => {
    await mustApply(google.session, [create(weighted("0", "1"))]);
    const again = openGoogle(google);
    const { name } = weighted("0", "1");
    await again.records(await zoneOf(again), [name], soon());
    await mustApply(again, [remove(weighted("0", "1"))]);
    again.close();
    const [outcome] = await applyOnce(google.session, [create(weighted("1", "1"))]);
    expect(outcome?.status).toBe("precondition-failed");
    expect(await read()).toEqual([]);
    await mustApply(google.session, [create(weighted("0", "1"))]);
  });
});

describe("a change holds 100 000 bytes, members of others among them", () => {
  const text = (characters: number, at = 0): string =>
    `"${String(at).padEnd(characters - 2, "x")}"`;
  const names = Array.from({ length: 10 }, (_, index) => `n${index}.example.org`);
  const foreign = {
    location: "us-east1",
    rrdatas: Array.from({ length: 20 }, (_, at) => text(245, at)),
  };

  /** Each change deletes 4900 bytes, and adds them and its own. */
  function members(ownBytes: (index: number) => number): readonly ChangeGroup[] {
    return names.map((name, index) => {
      const value = text(ownBytes(index));
      return create({ ...recordSet(name, "TXT", value), ...HERE });
    });
  }

  test.each([
    [200, "applied", 1],
    [201, "rejected", 3],
  ])("the last member has %i bytes: %s", async (lastBytes, status, calls) => {
    for (const name of names)
      google.zone.put({
        name: `${name}.`,
        type: "TXT",
        ttl: 900,
        routingPolicy: { geo: { items: [foreign] } },
      });
    const known = await zoneOf(google.session);
    await google.session.records(known, null, soon());
    const groups = members((index) => (index === 9 ? lastBytes : 200));
    const outcomes = await applyOnce(google.session, groups);
    expect(new Set(outcomes.map((one) => one.status))).toEqual(new Set([status]));
    // As whoever made the batch halves one that is refused.
    if (status === "rejected")
      for (const half of [groups.slice(0, 5), groups.slice(5)])
        await mustApply(google.session, half);
    expect(writes()).toBe(calls);
  });
});

describe("what Cloud DNS does not take", () => {
  const base = weighted("0", "1");
  const policy = (type: string, parameters: Readonly<Record<string, string>>) => ({
    ...base,
    routingPolicy: { type, parameters },
  });
  test.each<[string, RecordSet, RegExp]>([
    [
      "a name for a position",
      { ...base, setIdentifier: "blue" },
      /its position at Google, 0 to 4; it is blue/,
    ],
    ["a position too far", { ...base, setIdentifier: "5" }, /0 to 4; it is 5/],
    ["no policy", { ...base, routingPolicy: null }, /belong together/],
    [
      "another kind",
      policy("latency", { region: "x" }),
      /no routing policy latency; possible are weighted, geolocation/,
    ],
    ["no weight", policy("weighted", {}), /lacks its parameter weight/],
    ["a negative weight", policy("weighted", { weight: "-1" }), /from 0 to 1000/],
    ["a large weight", policy("weighted", { weight: "1001" }), /from 0 to 1000/],
    [
      "a weight in another form",
      policy("weighted", { weight: "010" }),
      /from 0 to 1000.*it is 010/,
    ],
    [
      "a health check",
      policy("weighted", { weight: "1", healthCheckID: "x" }),
      /no parameter healthCheckID/,
    ],
    [
      "a place of AWS",
      policy("geolocation", { location: "continent=EU" }),
      /a region of Google Cloud/,
    ],
    ["another identifier", policy("geolocation", { location: "us-east1" }), /write us-east1 for 0/],
    [
      "another type",
      { ...base, type: "SRV", values: ["1 2 3 a.example"] },
      /for A, AAAA, CNAME, TXT/,
    ],
    ["a placeholder", { ...base, values: ["233.252.0.1"] }, /keeps a position free/],
  ])("%s", async (_, set, message) => {
    const [problem] = google.session.audit(set, await zoneOf(google.session));
    expect(problem?.message).toMatch(message);
  });

  test("what it does take", async () => {
    const known = await zoneOf(google.session);
    for (const set of [base, weighted("4", "0.5"), located("northamerica-northeast1")])
      expect(google.session.audit(set, known)).toEqual([]);
  });
});
