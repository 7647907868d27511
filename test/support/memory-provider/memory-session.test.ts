/** What a memory zone does under each fault, and how lagging reads and the journal look. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import {
  applyOnce,
  applyStatus,
  create,
  group,
  readNames,
  recordSet,
  soon,
  zoneOf,
} from "../../conformance/provider-harness.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";
import { CLASS_A, LIKE_ALIDNS, LIKE_AZURE, type MemoryBehaviour } from "./behaviour.ts";
import { type ApplyFault, NO_FAULTS } from "./faults.ts";
import { MemorySession } from "./memory-session.ts";
import { MemoryAccount } from "./provider.ts";

const WWW = recordSet("www.example.org", "A", "192.0.2.1");
const API = recordSet("api.example.org", "A", "192.0.2.2");

function world(behaviour: MemoryBehaviour, ...faults: readonly ApplyFault[]) {
  const clock = new VirtualClock();
  const account = new MemoryAccount();
  const { content } = account.addZone({ name: trustedDnsName("example.org"), behaviour });
  account.breakWith({ ...NO_FAULTS, apply: () => faults });
  const session = new MemorySession({
    zones: () => account.zones(),
    faults: {
      apply: (...call) => account.faults.apply(...call),
      read: (...call) => account.faults.read(...call),
    },
    environment: { clock, dryRun: false },
  });
  const names = () =>
    content.all().flatMap(({ name, type }) => (type === "A" ? [name.split(".")[0]] : []));
  return { clock, account, content, session, names };
}

const statuses = async (session: MemorySession, ...sets: readonly (typeof WWW)[]) =>
  (await applyOnce(session, sets.map(create))).map(({ status }) => status);

describe("faults of an atomic zone", () => {
  test.each<readonly [ApplyFault, readonly string[], readonly string[]]>([
    [{ kind: "lost-before" }, ["unknown", "unknown"], []],
    [{ kind: "partial", changes: 1 }, ["unknown", "unknown"], []],
    [{ kind: "lost-after" }, ["unknown", "unknown"], ["api", "www"]],
    [
      { kind: "rejects", code: "Bad", matches: ({ name }) => name.startsWith("api") },
      ["rejected", "rejected"],
      [],
    ],
    [
      { kind: "rejects", code: "Bad", matches: ({ name }) => name.startsWith("x") },
      ["applied", "applied"],
      ["api", "www"],
    ],
  ])("%o", async (fault, expected, exists) => {
    const { session, names } = world(CLASS_A, fault);
    expect(await statuses(session, WWW, API)).toEqual(expected);
    expect(names()).toEqual(exists);
  });

  test("a late call takes effect when its time has come, and only if it still may", async () => {
    const { session, names, clock, account, content } = world(CLASS_A, {
      kind: "late",
      delayMs: 50,
    });
    expect(await statuses(session, WWW)).toEqual(["unknown"]);
    expect(await statuses(session, API)).toEqual(["unknown"]);
    account.breakWith(NO_FAULTS);
    content.write([{ key: API, next: recordSet("api.example.org", "A", "192.0.2.99") }]);
    expect(names()).toEqual(["api"]);
    await clock.advance(51);
    expect(names()).toEqual(["api", "www"]);
    expect(content.at(API.name)[0]?.values).toEqual(["192.0.2.99"]);
  });

  test.each([
    [true, ["192.0.2.1"]],
    [false, []],
  ])("a late removal of what was written anew meanwhile, with tags: %s", async (hasTags, left) => {
    const { session, clock, account, content } = world({ ...LIKE_AZURE, hasTags });
    expect(await statuses(session, WWW)).toEqual(["applied"]);
    account.breakWith({ ...NO_FAULTS, apply: () => [{ kind: "late", delayMs: 50 }] });
    const removal = group(WWW.name, [{ op: "remove", previous: WWW }]);
    expect(await applyStatus(session, removal)).toBe("unknown");
    content.write([{ key: WWW, next: null }]);
    content.write([{ key: WWW, next: WWW }]);
    await clock.advance(51);
    expect(content.at(WWW.name).flatMap(({ values }) => values)).toEqual(left);
  });

  test("a stranger who is faster makes the precondition fail", async () => {
    const { session, content } = world(CLASS_A, {
      kind: "foreign",
      write: (zone) => zone.write([{ key: WWW, next: { ...WWW, values: ["192.0.2.99"] } }]),
    });
    expect(await statuses(session, WWW)).toEqual(["precondition-failed"]);
    expect(content.at(WWW.name)[0]?.values).toEqual(["192.0.2.99"]);
  });

  test("what is down throws, for writes and for reads", async () => {
    const { session, account } = world(CLASS_A, { kind: "down" });
    await expect(applyStatus(session, create(WWW))).rejects.toMatchObject({ retry: "backoff" });
    account.breakWith({ ...NO_FAULTS, read: () => [{ kind: "down" }] });
    await expect(readNames(session, [WWW.name])).rejects.toMatchObject({
      code: "ProviderUnreachable",
    });
  });

  test("more than fits into one call is refused as a whole", async () => {
    const batch = { groupsMax: 1, valuesMax: 10, bytesMax: 1000 };
    const { session, names } = world({ ...CLASS_A, batch });
    expect(await statuses(session, WWW, API)).toEqual(["rejected", "rejected"]);
    expect(names()).toEqual([]);
  });

  test("a zone that the account lost is an error, not an empty zone", async () => {
    const { session, account } = world(CLASS_A);
    const zone = await zoneOf(session);
    account.removeZone(zone.id);
    expect(await session.zones(soon())).toEqual([]);
    await expect(session.records(zone, null, soon())).rejects.toMatchObject({
      code: "ZoneNotFound",
    });
  });
});

describe("a step-wise zone", () => {
  const both = group(WWW.name, [
    { op: "create", next: WWW },
    { op: "create", next: recordSet("www.example.org", "TXT", '"marker"') },
  ]);

  test("a group that breaks midway is unknown and leaves its first half", async () => {
    const { session, content } = world(LIKE_AZURE, { kind: "partial", changes: 1 });
    expect(await applyStatus(session, both)).toBe("unknown");
    expect(content.at(WWW.name).map(({ type }) => type)).toEqual(["A"]);
  });

  test("a refusal at the second step is unknown too; at the first nothing happened", async () => {
    const { session, content } = world(LIKE_AZURE);
    const marker = recordSet("www.example.org", "TXT", '"theirs"');
    content.write([{ key: marker, next: marker }]);
    expect(await applyStatus(session, both)).toBe("unknown");
    expect(await applyStatus(session, both)).toBe("precondition-failed");
  });

  test("preconditions speak only of the record set that is written", async () => {
    const { session } = world(LIKE_AZURE);
    const elsewhere = { is: "exact", set: API } as const;
    const own = { is: "exact", set: WWW } as const;
    const change = { op: "create", next: WWW } as const;
    expect(await applyStatus(session, group(WWW.name, [change], [elsewhere, own]))).toBe(
      "precondition-failed",
    );
    expect(await applyStatus(session, group(WWW.name, [change], [elsewhere]))).toBe("applied");
  });

  test("an answer that is lost", async () => {
    const { session, names } = world(LIKE_ALIDNS, { kind: "lost-after" });
    expect(await applyStatus(session, create(WWW))).toBe("unknown");
    expect(names()).toEqual(["www"]);
  });

  test.each([CLASS_A, LIKE_ALIDNS])("too many calls: nothing is done", async (behaviour) => {
    const { session, names } = world(behaviour, { kind: "throttled", afterMs: 500 });
    const error = { code: "Throttled", retryAfterMs: 500, nothingSent: true };
    await expect(applyStatus(session, create(WWW))).rejects.toMatchObject(error);
    expect(names()).toEqual([]);
  });

  test("clamps and trims what it stores, and says so in normalize", async () => {
    const { session, content } = world(LIKE_ALIDNS);
    const set = { ...recordSet("t.example.org", "TXT", '"a " " b  " "\\" "'), ttlSeconds: 1 };
    const stored = { ...set, ttlSeconds: 600, values: ['"a" " b" "\\""'] };
    expect(session.normalize(set)).toEqual(stored);
    await applyStatus(session, create(set));
    expect(content.at(set.name)).toEqual([stored]);
  });
});

describe("lag and journal", () => {
  test("reads lag behind writes, the token with them; preconditions do not", async () => {
    const { session, clock } = world({ ...CLASS_A, readLagMs: 1000 });
    await clock.advance(5000);
    const zone = await zoneOf(session);
    const before = await session.changeToken?.(zone, soon());
    expect(await statuses(session, WWW)).toEqual(["applied"]);
    expect(await readNames(session, [WWW.name])).toEqual([]);
    expect(await session.changeToken?.(zone, soon())).toBe(before);
    expect(await statuses(session, WWW)).toEqual(["precondition-failed"]);
    await clock.advance(1001);
    expect(await readNames(session, [WWW.name])).toEqual([WWW]);
    expect(await session.changeToken?.(zone, soon())).not.toBe(before);
  });

  test("a call takes its time, and takes effect in the middle", async () => {
    const { session, clock, names } = world({ ...CLASS_A, latencyMs: 100 });
    const zone = (await Promise.all([session.zones(soon()), clock.advance(200)]))[0][0];
    if (zone === undefined) throw new Error("no zone");
    const answer = session.apply(zone, [create(WWW)], soon()).next();
    await clock.advance(49);
    expect(names()).toEqual([]);
    await clock.advance(2);
    expect(names()).toEqual(["www"]);
    await clock.advance(50);
    expect((await answer).value).toEqual({ name: WWW.name, status: "applied" });
  });

  test("changes are PENDING for a while, and some end as ERROR; reads show them at once", async () => {
    const pending = { forMs: 1000, errorEvery: 2 };
    const { session, clock } = world({ ...CLASS_A, pending });
    const zone = await zoneOf(session);
    const receipts: string[] = [];
    for (const name of ["a", "b"]) {
      const set = { ...WWW, name: trustedDnsName(`${name}.example.org`) };
      const [outcome] = await applyOnce(session, [create(set)]);
      expect(await readNames(session, [set.name])).toEqual([set]);
      receipts.push(outcome?.status === "applied" ? (outcome.receipt ?? "") : "");
    }
    const states = () =>
      Promise.all(receipts.map((one) => session.propagationOf?.(zone, one, soon())));
    expect(await states()).toEqual([{ is: "pending" }, { is: "pending" }]);
    await clock.advance(1000);
    expect(await states()).toMatchObject([{ is: "live" }, { is: "failed" }]);
  });

  test("equal writes do not move the serial; a token from before the journal asks for a reload", () => {
    const { content } = world(CLASS_A);
    content.write([{ key: WWW, next: WWW }]);
    const { serial } = content;
    content.write([{ key: WWW, next: { ...WWW } }]);
    expect(content.serial).toBe(serial);
    expect(content.namesSince(serial)).toEqual([]);
    expect(content.namesSince(serial - 1)).toEqual([WWW.name]);
    expect(content.namesSince(serial + 1)).toBeNull();
    for (let round = 0; round < 1001; round++)
      content.write([{ key: WWW, next: round % 2 === 0 ? null : WWW }]);
    expect(content.namesSince(serial)).toBeNull();
  });
});
