/**
 * Z-17 in one zone: who may write, what a batch asserts, and what each kind of trouble with the
 * record leads to.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { LIKE_AZURE } from "../../../test/support/memory-provider/behaviour.ts";
import {
  type ApplyFault,
  type MemoryFaults,
  NO_FAULTS,
} from "../../../test/support/memory-provider/faults.ts";
import { MemoryAccount } from "../../../test/support/memory-provider/provider.ts";
import { FakeTerm } from "../../../test/support/ports/fake-term.ts";
import {
  engineWorld,
  entry,
  KEY,
  type WorldOptions,
} from "../../../test/support/worlds/engine-world.ts";
import type { RecordSet } from "../../model/record-set.ts";
import { fenceName } from "../contract/fence-record.ts";

const APEX = trustedDnsName("example.org");
const FENCE = fenceName(APEX, "me") ?? APEX;
const OUR_DOMAIN = "uid-1/kube-system/zonekeeper";
const AWAY = "uid-2/kube-system/zonekeeper";

interface Given extends WorldOptions {
  readonly term?: FakeTerm;
  readonly record?: boolean;
  /** Values in the zone before the first read. */
  readonly text?: string;
}

function fenceOf(text: string): RecordSet {
  const plain = { setIdentifier: null, ttlSeconds: 300, properties: {}, routingPolicy: null };
  return { ...plain, name: FENCE, type: "TXT", values: [`"${text}"`] };
}

/** An open zone with one writer. */
async function opened({
  term = new FakeTerm(OUR_DOMAIN, 3),
  record = true,
  text,
  ...given
}: Given = {}) {
  const account = given.account ?? new MemoryAccount();
  const made = engineWorld({ ...given, account, engine: { fence: { term, record } } });
  const { content, engine, clock } = made;
  const calls: string[][] = [];
  const watched: MemoryFaults = {
    ...NO_FAULTS,
    apply: (_zone, groups) => {
      calls.push(groups.map(({ name }) => name.split(".")[0] ?? ""));
      return [];
    },
  };
  account.breakWith(watched);
  const it = {
    ...made,
    term,
    calls,
    /** Trouble with writes of the fence, or of everything else. */
    troubleWith: (what: "fence" | "records", fault: ApplyFault | null): void =>
      account.breakWith({
        ...watched,
        apply: (zone, groups) => {
          watched.apply(zone, groups);
          const isFence = groups.some(({ name }) => name === FENCE);
          return fault !== null && isFence === (what === "fence") ? [fault] : [];
        },
      }),
    write: (next: string | null): void =>
      content.write([{ key: fenceOf(""), next: next === null ? null : fenceOf(next) }]),
    fence: (): string =>
      content
        .at(FENCE)
        .flatMap(({ values }) => values)
        .join("|"),
    holds: (): readonly string[] =>
      engine.status().flatMap(({ open }) => open.flatMap((plan) => plan.holds.map((h) => h.code))),
    status: () => engine.status()[0]?.fence,
    put: async (name: string, address: string): Promise<void> => {
      engine.contribute(KEY, entry(name, [address]));
      await clock.advance(2_000);
    },
  };
  if (text !== undefined) it.write(text);
  engine.openZone(made.zoneInput);
  await clock.advance(1_000);
  return it;
}

const OUR_FENCE = `"v=1;domain=${OUR_DOMAIN};epoch=3"`;

describe("one writer", () => {
  test("a zone without a fence gets one before the first write, and none for each change", async () => {
    const it = await opened();
    expect([it.fence(), it.status()?.mode]).toEqual(["", "unused"]);
    await it.put("www", "192.0.2.1");
    await it.put("www", "192.0.2.2");
    expect([it.fence(), it.status()?.mode]).toEqual([OUR_FENCE, "record"]);
    expect(it.values("www")).toEqual(["192.0.2.2"]);
    expect(it.calls.map((call) => call.length)).toEqual([1, 1, 1]);
  });

  test("the fence is no user's record: not counted, not planned, and refused to objects", async () => {
    const it = await opened({ text: `v=1;domain=${OUR_DOMAIN};epoch=1` });
    await it.put("www", "192.0.2.1");
    await it.clock.advance(3_700_000);
    expect(it.engine.status()[0]).toMatchObject({ ownedNames: 1, foreignNames: 1 });
    const desired = entry("x", ["192.0.2.9"]);
    const items = desired.found.items.map((item) => ({ ...item, name: FENCE }));
    it.engine.contribute(KEY, { ...desired, found: { ...desired.found, items } });
    await it.clock.advance(2_000);
    expect(it.holds()).toEqual(["ReservedName"]);
  });

  test("an earlier epoch of our domain is replaced", async () => {
    const it = await opened({ text: `v=1;domain=${OUR_DOMAIN};epoch=2` });
    await it.put("www", "192.0.2.1");
    expect([it.fence(), it.values("www")]).toEqual([OUR_FENCE, ["192.0.2.1"]]);
  });

  test("a fence that a person removed is made anew, and what failed for it is written", async () => {
    const it = await opened();
    await it.put("www", "192.0.2.1");
    it.write(null);
    await it.put("www", "192.0.2.2");
    expect([it.fence(), it.values("www"), it.holds()]).toEqual([OUR_FENCE, ["192.0.2.2"], []]);
  });

  test.each([
    ["is lost before the server", { kind: "lost-before" }],
    ["is lost behind the server", { kind: "lost-after" }],
  ] as const)("the fence's own write that %s is followed by a read", async (_what, fault) => {
    const it = await opened();
    it.troubleWith("fence", fault);
    await it.put("www", "192.0.2.1");
    it.troubleWith("fence", null);
    await it.clock.advance(5_000);
    expect([it.fence(), it.values("www")]).toEqual([OUR_FENCE, ["192.0.2.1"]]);
  });

  test("a provider that says when to come back is not asked for the fence before", async () => {
    const it = await opened();
    it.troubleWith("fence", { kind: "throttled", afterMs: 30_000 });
    await it.put("www", "192.0.2.1");
    await it.put("api", "192.0.2.2");
    expect(it.calls).toHaveLength(1);
    it.troubleWith("fence", null);
    await it.clock.advance(40_000);
    expect([it.fence(), it.values("www"), it.values("api")]).toEqual([
      OUR_FENCE,
      ["192.0.2.1"],
      ["192.0.2.2"],
    ]);
  });

  test("a lost answer to a batch blocks only its own names", async () => {
    const it = await opened();
    await it.put("www", "192.0.2.1");
    it.troubleWith("records", { kind: "late", delayMs: 60_000 });
    await it.put("late", "192.0.2.7");
    it.troubleWith("records", null);
    await it.put("api", "192.0.2.2");
    expect(it.values("api")).toEqual(["192.0.2.2"]);
  });
});

describe("a later epoch of our own domain", () => {
  test("ends the term before anything is written, and holds nothing", async () => {
    const it = await opened({ text: `v=1;domain=${OUR_DOMAIN};epoch=4` });
    await it.put("www", "192.0.2.1");
    expect([it.term.outdatedBy, it.values("www"), it.holds()]).toEqual([[4], [], []]);
    expect(it.calls).toEqual([]);
  });

  test("is told to a person who gives the owner id to a process whose term is over", async () => {
    const it = await opened({ text: `v=1;domain=${OUR_DOMAIN};epoch=4;contested=${AWAY}` });
    expect(await it.engine.takeOwner(AWAY, false)).toEqual([
      { zone: APEX, trouble: expect.stringContaining("so this term ends") },
    ]);
    expect([it.term.outdatedBy.at(-1), it.calls]).toEqual([4, []]);
  });

  test("stops a batch that was planned before it came (P01)", async () => {
    const it = await opened();
    await it.put("www", "192.0.2.1");
    const successor: ApplyFault = {
      kind: "foreign",
      write: (content) =>
        content.write([{ key: fenceOf(""), next: fenceOf(`v=1;domain=${OUR_DOMAIN};epoch=4`) }]),
    };
    it.troubleWith("records", successor);
    await it.put("www", "192.0.2.2");
    expect([it.values("www"), it.term.outdatedBy]).toEqual([["192.0.2.1"], [4]]);
    expect([it.calls.slice(2).length, it.term.wasReplaced]).toEqual([1, true]);
  });

  test("or the same one under another id ends the term; what stood there before did not replace us", async () => {
    const term = new FakeTerm(OUR_DOMAIN, 3, "0a");
    const it = await opened({ term, text: `v=1;domain=${OUR_DOMAIN};epoch=3;term=0b` });
    await it.put("www", "192.0.2.1");
    expect([term.outdatedBy, it.values("www"), it.calls]).toEqual([[3], [], []]);
    expect(term.wasReplaced).toBe(false);
  });
});

describe("a copy of our cluster", () => {
  const copied = `v=1;domain=${OUR_DOMAIN};epoch=2;term=0b`;
  const term = (): FakeTerm => Object.assign(new FakeTerm(OUR_DOMAIN, 3, "0a"), { copyEpoch: 2 });

  test("is told so, and we stop until a person says who stays", async () => {
    const it = await opened({ term: term(), text: copied });
    await it.put("www", "192.0.2.1");
    expect(it.fence()).toBe(`"${copied};contested=${OUR_DOMAIN}"`);
    expect([it.values("www"), it.holds()]).toEqual([[], ["OwnerContested"]]);
    expect(it.status()?.message).toMatch(/^another copy of this cluster \(a restored snapshot\?\)/);
    await it.engine.takeOwner(OUR_DOMAIN, false);
    await it.clock.advance(2_000);
    expect([it.fence(), it.values("www")]).toEqual([
      `"v=1;domain=${OUR_DOMAIN};epoch=3;term=0a"`,
      ["192.0.2.1"],
    ]);
  });

  test("stops us also where it cannot be told, and that is tried again", async () => {
    const it = await opened({ term: term(), text: copied });
    it.troubleWith("fence", { kind: "throttled", afterMs: null });
    await it.put("www", "192.0.2.1");
    expect([it.values("www"), it.holds(), it.fence()]).toEqual([
      [],
      ["OwnerContested"],
      `"${copied}"`,
    ]);
    it.troubleWith("fence", null);
    await it.clock.advance(30_000);
    expect(it.fence()).toBe(`"${copied};contested=${OUR_DOMAIN}"`);
  });

  test("stops us when it tells us first", async () => {
    const it = await opened({ term: new FakeTerm(OUR_DOMAIN, 3, "0a") });
    await it.put("www", "192.0.2.1");
    it.write(`v=1;domain=${OUR_DOMAIN};epoch=3;term=0a;contested=${OUR_DOMAIN}`);
    await it.put("www", "192.0.2.2");
    expect([it.values("www"), it.holds()]).toEqual([["192.0.2.1"], ["OwnerContested"]]);
    it.write(`v=1;domain=${OUR_DOMAIN};epoch=9;term=0b`);
    await it.clock.advance(30_000);
    expect([it.values("www"), it.status()?.code]).toEqual([["192.0.2.1"], "OwnerTaken"]);
    expect([it.term.outdatedBy, it.fence()]).toEqual([[], expect.stringContaining("term=0b")]);
  });
});

describe("another installation with our owner id", () => {
  const otherDomain = `v=1;domain=${AWAY};epoch=9`;

  test("that was there first goes on; we wait, say so, and write nothing", async () => {
    const it = await opened({ text: otherDomain });
    expect(it.status()).toMatchObject({ mode: "stopped", other: AWAY });
    await it.put("www", "192.0.2.1");
    await it.put("api", "192.0.2.2");
    expect([it.fence(), it.calls, it.values("www")]).toEqual([`"${otherDomain}"`, [], []]);
    expect(it.holds()).toEqual(["HeldBy", "HeldBy"]);
  });

  test("that gives the owner id up lets us go on", async () => {
    const it = await opened({ text: otherDomain });
    await it.put("www", "192.0.2.1");
    it.write(null);
    await it.clock.advance(30_000);
    expect([it.fence(), it.values("www"), it.holds()]).toEqual([OUR_FENCE, ["192.0.2.1"], []]);
  });

  test("of an earlier version stops us at our next compare when it disputes our zone", async () => {
    const it = await opened();
    await it.put("www", "192.0.2.1");
    it.write(`v=1;domain=${OUR_DOMAIN};epoch=3;contested=${AWAY}`);
    await it.put("www", "192.0.2.2");
    expect([it.values("www"), it.holds()]).toEqual([["192.0.2.1"], ["OwnerContested"]]);
    expect(
      (await it.engine.explain(trustedDnsName("www.example.org")))[0]?.claims[0]?.reason,
    ).toContain(`zonekeeper owner take --from ${AWAY}`);
  });

  test("is seen by an idle instance, too", async () => {
    const it = await opened();
    await it.put("www", "192.0.2.1");
    it.write(`v=1;domain=${OUR_DOMAIN};epoch=3;contested=${AWAY}`);
    await it.clock.advance(30_000);
    expect(it.status()).toMatchObject({ mode: "stopped", code: "OwnerContested", other: AWAY });
  });

  test("loses the owner id when a person says so; what was held follows", async () => {
    const it = await opened({ text: otherDomain });
    await it.put("www", "192.0.2.1");
    expect(await it.engine.takeOwner("uid-7/a/b", false)).toEqual([]);
    const preview = await it.engine.takeOwner(AWAY, true);
    expect(preview).toEqual([
      {
        zone: APEX,
        now: otherDomain,
        next: `v=1;domain=${OUR_DOMAIN};epoch=3;dismissed=${AWAY}`,
      },
    ]);
    expect(it.values("www")).toEqual([]);
    expect(await it.engine.takeOwner(AWAY, false)).toEqual(preview);
    await it.clock.advance(2_000);
    expect([it.values("www"), it.status()?.mode]).toEqual([["192.0.2.1"], "record"]);
  });

  test("loses the owner id where it can be taken; a zone that cannot be reached keeps no other from it", async () => {
    const account = new MemoryAccount();
    account.addZone({ name: APEX });
    const other = trustedDnsName("example.net");
    const { content, zone } = account.addZone({ name: other });
    const it = await opened({ text: otherDomain, account });
    const name = fenceName(other, "me") ?? other;
    content.write([{ key: { ...fenceOf(""), name }, next: { ...fenceOf(otherDomain), name } }]);
    it.engine.openZone({ ...it.zoneInput, key: { account: "a", zone: zone.id }, zone });
    await it.clock.advance(1_000);
    account.breakWith({ ...NO_FAULTS, read: (id) => (id === zone.id ? [] : [{ kind: "down" }]) });
    const failed = { zone: APEX, trouble: expect.any(String) };
    const next = `v=1;domain=${OUR_DOMAIN};epoch=3;dismissed=${AWAY}`;
    for (const dryRun of [true, false])
      expect(await it.engine.takeOwner(AWAY, dryRun)).toEqual([
        failed,
        { zone: other, now: expect.stringContaining(AWAY), next },
      ]);
    expect(content.at(name)[0]?.values).toEqual([`"${next}"`]);
  });

  test("that a person gave the owner id to stops us without a dispute, also after a restart", async () => {
    const it = await opened({ text: `${otherDomain};dismissed=uid-8/a/b,${OUR_DOMAIN}` });
    await it.put("www", "192.0.2.1");
    expect([it.calls, it.holds()]).toEqual([[], ["OwnerTaken"]]);
  });
});

test.each(["v=2;domain=x", "hello", "v=1;domain=;epoch=1", "v=1;domain=a/b/c;epoch=-1"])(
  "what is no fence that we know stops us until it is gone: %s",
  async (text) => {
    const it = await opened({ text });
    await it.put("www", "192.0.2.1");
    expect([it.calls, it.holds(), it.fence()]).toEqual([[], ["FenceUnreadable"], `"${text}"`]);
    it.write(null);
    await it.clock.advance(30_000);
    expect([it.fence(), it.values("www")]).toEqual([OUR_FENCE, ["192.0.2.1"]]);
  },
);

describe("where no fence can be written", () => {
  const refused: ApplyFault = {
    kind: "rejects",
    code: "REFUSED",
    matches: ({ name }) => name === FENCE,
  };

  test("a refused one leaves the Lease, and batches compare that there is none", async () => {
    const it = await opened();
    it.troubleWith("fence", refused);
    await it.put("www", "192.0.2.1");
    expect([it.values("www"), it.status()?.mode]).toEqual([["192.0.2.1"], "lease"]);
    await it.put("www", "192.0.2.2");
    expect(it.calls.filter(([name]) => name?.startsWith("www")).length).toBe(2);
    expect(it.calls).toHaveLength(3);
    it.write(`v=1;domain=${AWAY};epoch=0`);
    await it.put("www", "192.0.2.3");
    expect([it.values("www"), it.holds()]).toEqual([["192.0.2.2"], ["HeldBy"]]);
  });

  test.each([
    ["a provider that cannot compare", { behaviour: LIKE_AZURE }],
    ["--fence off", { record: false }],
    ["an unknown domain", { term: new FakeTerm(null, 3) }],
  ])(
    "%s: no record, and nothing is begun in the margin before the Lease ends",
    async (_what, given) => {
      const it = await opened(given);
      await it.put("www", "192.0.2.1");
      await it.clock.advance(10_000);
      expect([it.values("www"), it.fence(), it.status()?.mode]).toEqual([
        ["192.0.2.1"],
        "",
        "lease",
      ]);
      it.term.leftMs = it.term.marginMs;
      await it.put("www", "192.0.2.2");
      expect(it.values("www")).toEqual(["192.0.2.1"]);
      it.term.leftMs = it.term.marginMs + 1;
      await it.clock.advance(60_000);
      expect(it.values("www")).toEqual(["192.0.2.2"]);
    },
  );
});

test("with a fence, a term that is over sends nothing; before that it needs no margin", async () => {
  const it = await opened();
  await it.put("www", "192.0.2.1");
  it.term.leftMs = 1;
  await it.put("www", "192.0.2.2");
  it.term.leftMs = 0;
  await it.put("www", "192.0.2.3");
  expect(it.values("www")).toEqual(["192.0.2.2"]);
});

test("two accounts that show one zone take the owner id once", async () => {
  const it = await opened({ text: `v=1;domain=${AWAY};epoch=9` });
  it.engine.openZone({ ...it.zoneInput, key: { ...KEY, account: "b" } });
  await it.clock.advance(2_000);
  const takings = await it.engine.takeOwner(AWAY, false);
  expect(takings).toHaveLength(1);
  expect(takings[0]).toMatchObject({ zone: APEX });
  expect(takings[0]).not.toHaveProperty("trouble");
});
