import type { Store } from "@zonekeeper/base/ports/store";
import {
  MemoryStore,
  type MemoryStoreOptions,
  type WriteOutcome,
} from "@zonekeeper/base/store/memory-store";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryHistory } from "../../../../../test/support/name-server/arbitrary-update.ts";
import { QUIET_LOG } from "../../../../../test/support/name-server/quiet-log.ts";
import { updateFromText, updateOf } from "../../../../../test/support/name-server/update-text.ts";
import {
  APEX,
  nameOf,
  textOf,
  zoneFromText,
  zoneText,
} from "../../../../../test/support/name-server/zone-text.ts";
import type { ResourceRecord } from "../../wire/message/message.ts";
import { DEFAULT_JOURNAL_LIMITS, type JournalLimits } from "../zone/journal.ts";
import { HostedZone, PENDING_UPDATES_MAX } from "./hosted-zone.ts";
import { newZoneWrites, type ZoneState } from "./zone-store.ts";

type Entries = MemoryStoreOptions["entries"];

/** The entries of a store that holds a fresh zone. */
async function freshEntries(text = ""): Promise<NonNullable<Entries>> {
  const store = new MemoryStore();
  await store.write(newZoneWrites(zoneFromText(text)));
  return store.contents();
}

function open(
  store: MemoryStore,
  journalLimits: JournalLimits = DEFAULT_JOURNAL_LIMITS,
): HostedZone {
  return new HostedZone({ apex: APEX, store, log: QUIET_LOG, journalLimits });
}

/**
 * The zone's text that the journal's deltas lead to, beginning with `from` at `serial`; null = it
 * does not reach back.
 */
function replay(
  state: ZoneState,
  from: readonly string[],
  serial: number,
): readonly string[] | null {
  const deltas = state.journal.since(serial);
  if (deltas === null) return serial === state.version.soa.serial ? from : null;
  let lines = [...from];
  for (const delta of deltas) {
    const gone = new Set(textOf([delta.fromSoa, ...delta.removed]));
    lines = [...lines.filter((line) => !gone.has(line)), ...textOf([delta.toSoa, ...delta.added])];
  }
  return lines.sort();
}

/**
 * A store that works for `good` writes; then one has the fate, and afterwards the process counts as
 * dead.
 */
function mortal(entries: Entries, good: number, outcome: WriteOutcome): MemoryStore {
  const outcomeOf = (number: number): WriteOutcome =>
    number <= good ? "applied" : number === good + 1 ? outcome : "lost";
  return new MemoryStore({ entries: entries ?? [], fault: async (number) => outcomeOf(number) });
}

/**
 * Sends each update when the one before is answered, or all at once. Gives how many were
 * acknowledged before the process died.
 */
async function drive(
  zone: HostedZone,
  history: readonly (readonly ResourceRecord[])[],
  together: boolean,
): Promise<number> {
  const send = (each: readonly ResourceRecord[]) => zone.update(updateOf([], each));
  if (together) {
    const rcodes = await Promise.all(history.map(send));
    return [...rcodes, "SERVFAIL"].indexOf("SERVFAIL");
  }
  for (const [index, each] of history.entries()) if ((await send(each)) !== "NOERROR") return index;
  return history.length;
}

describe("what is acknowledged stays", () => {
  test("a crash at any write, before or after it: the next start finds the last acknowledged state or all of the next", async () => {
    const entries = await freshEntries();
    await fc.assert(
      fc.asyncProperty(arbitraryHistory, fc.boolean(), async (history, together) => {
        const healthy = open(new MemoryStore({ entries }));
        const texts = [zoneText(healthy.state.version)];
        for (const each of history) {
          await healthy.update(updateOf([], each));
          texts.push(zoneText(healthy.state.version));
        }
        for (let good = 0; good <= history.length; good++)
          for (const outcome of ["lost", "applied-unacknowledged"] as const) {
            const store = mortal(entries, good, outcome);
            const acknowledged = await drive(open(store), history, together);
            const recovered = open(new MemoryStore({ entries: store.contents() }));
            const found = zoneText(recovered.state.version);
            const possible = together
              ? texts.slice(acknowledged)
              : texts.slice(acknowledged, acknowledged + 2);
            expect(possible).toContainEqual(found);
            if (outcome === "lost") expect(found).toEqual(texts[acknowledged]);
            expect(replay(recovered.state, texts[0] ?? [], 7)).toEqual(found);
          }
      }),
      { numRuns: 60 },
    );
  });

  test("a query sees an update only when the store has it", async () => {
    const gates: (() => void)[] = [];
    const fault = async (): Promise<WriteOutcome> => {
      await new Promise<void>((resolve) => gates.push(resolve));
      return "applied";
    };
    const zone = open(new MemoryStore({ entries: await freshEntries(), fault }));
    const update = zone.update(updateFromText("add a A 192.0.2.1"));
    while (gates.length === 0) await Promise.resolve();
    expect(zone.state.version.soa.serial).toBe(7);
    gates[0]?.();
    expect(await update).toBe("NOERROR");
    expect(zone.state.version.soa.serial).toBe(8);
  });

  test("a failed write is SERVFAIL, and the zone goes on from what the store has", async () => {
    const outcomes: WriteOutcome[] = ["lost", "applied-unacknowledged"];
    const store = new MemoryStore({
      entries: await freshEntries(),
      fault: async () => outcomes.shift() ?? "applied",
    });
    const zone = open(store);
    expect(await zone.update(updateFromText("add a A 192.0.2.1"))).toBe("SERVFAIL");
    expect(zone.state.version.soa.serial).toBe(7);
    expect(await zone.update(updateFromText("add b A 192.0.2.1"))).toBe("SERVFAIL");
    expect(zone.state.version.soa.serial).toBe(8);
    expect(await zone.update(updateFromText("add c A 192.0.2.1"))).toBe("NOERROR");
    expect(zoneText(open(new MemoryStore({ entries: store.contents() })).state.version)).toEqual(
      zoneText(zone.state.version),
    );
  });
});

test("while the store cannot be read back either, updates are refused and queries see the last good state", async () => {
  const store = new MemoryStore({
    entries: await freshEntries(),
    fault: async (n) => (n === 1 ? "lost" : "applied"),
  });
  let broken = true;
  const flaky: Store = {
    get: (key) => store.get(key),
    range: (prefix) => (broken && prefix.startsWith("dns node") ? [] : store.range(prefix)),
    write: (operations) => store.write(operations),
    close: () => store.close(),
  };
  broken = false;
  const zone = new HostedZone({
    apex: APEX,
    store: flaky,
    log: QUIET_LOG,
    journalLimits: DEFAULT_JOURNAL_LIMITS,
  });
  broken = true;
  expect(await zone.update(updateFromText("add a A 192.0.2.1"))).toBe("SERVFAIL");
  expect(await zone.update(updateFromText("add b A 192.0.2.1"))).toBe("SERVFAIL");
  expect(zone.state.version.soa.serial).toBe(7);
  broken = false;
  expect(await zone.update(updateFromText("add b A 192.0.2.1"))).toBe("NOERROR");
  expect(zone.state.version.node(nameOf("a"))).toBeUndefined();
});

describe("updates that arrive together", () => {
  test("share a write; each is judged after the one before and has its own serial", async () => {
    let writes = 0;
    const fault = async (): Promise<WriteOutcome> => {
      writes += 1;
      return "applied";
    };
    const zone = open(new MemoryStore({ entries: await freshEntries(), fault }));
    const claims = Array.from({ length: 20 }, (_, i) =>
      zone.update(updateFromText(`nxdomain a\n add a A 192.0.2.${i}\n add n${i} A 192.0.2.1`)),
    );
    const rcodes = await Promise.all(claims);
    expect(rcodes.filter((rcode) => rcode === "NOERROR")).toHaveLength(1);
    expect(rcodes.filter((rcode) => rcode === "YXDOMAIN")).toHaveLength(19);
    const more = await Promise.all(
      Array.from({ length: 20 }, (_, i) => zone.update(updateFromText(`add m${i} A 192.0.2.1`))),
    );
    expect(new Set(more)).toEqual(new Set(["NOERROR"]));
    expect(zone.state.version.soa.serial).toBe(28);
    expect(zone.state.journal.deltas).toHaveLength(21);
    expect(writes).toBe(2);
  });

  test("too many are refused, not kept", async () => {
    const zone = open(new MemoryStore({ entries: await freshEntries() }));
    const updates = Array.from({ length: PENDING_UPDATES_MAX + 5 }, () =>
      zone.update(updateFromText("add a A 192.0.2.1")),
    );
    const rcodes = await Promise.all(updates);
    expect(rcodes.filter((rcode) => rcode === "SERVFAIL")).toHaveLength(5);
    expect(zone.state.version.soa.serial).toBe(8);
  });

  test("an update that changes nothing costs no write", async () => {
    const fault = async (): Promise<WriteOutcome> => "lost";
    const store = new MemoryStore({ entries: await freshEntries("a A 192.0.2.1"), fault });
    expect(await open(store).update(updateFromText("add a A 192.0.2.1"))).toBe("NOERROR");
  });
});

describe("the journal", () => {
  test("keeps within its bounds, in the store too", async () => {
    const store = new MemoryStore({ entries: await freshEntries() });
    const zone = open(store, { deltasMax: 3, recordsMax: 1000 });
    for (let i = 1; i <= 10; i++) await zone.update(updateFromText(`add n${i} A 192.0.2.1`));
    expect([...store.range("dns journal ")]).toHaveLength(3);
    expect(zone.state.journal.since(13)).toBeNull();
    const recovered = open(new MemoryStore({ entries: store.contents() }));
    expect(recovered.state.journal.since(14)).toEqual(zone.state.journal.since(14));
    expect(recovered.state.journal.since(14)).toHaveLength(3);
  });

  test("drops old deltas for a large one, and keeps that", async () => {
    const store = new MemoryStore({ entries: await freshEntries() });
    const zone = open(store, { deltasMax: 100, recordsMax: 10 });
    await zone.update(updateFromText("add a A 192.0.2.1"));
    const many = Array.from({ length: 50 }, (_, i) => `add n${i} A 192.0.2.1`).join("\n");
    await zone.update(updateFromText(many));
    expect(zone.state.journal.deltas).toHaveLength(1);
    expect(zone.state.journal.since(8)).toHaveLength(1);
  });
});

test("a store that holds no zone where one should be says so", async () => {
  const store = new MemoryStore({ entries: [["dns zone example.org", '{"format":1}']] });
  expect(() => open(store)).toThrow(/stored zone example.org cannot be read.*exactly one SOA/);
});
