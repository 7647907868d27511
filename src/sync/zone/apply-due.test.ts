import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { OperationError } from "../../model/operation-error.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import { applyBatch } from "../calls/apply-batches.ts";

/** A group that writes nothing; only its name counts here. */
function group(name: string): ChangeGroup {
  return { name, keys: [], changes: [], preconditions: [] } as unknown as ChangeGroup;
}

test("what is not due any more when the token comes is not sent", async () => {
  const { zoneInput } = engineWorld();
  const due = new Set(["a", "b"]);
  const sent: string[][] = [];
  const results = await applyBatch(
    {
      session: {
        ...zoneInput.session,
        apply: async function* (_zone: unknown, groups: readonly ChangeGroup[]) {
          sent.push(groups.map(({ name }) => name));
          for (const { name } of groups) yield { name, status: "applied" as const };
        },
      } as unknown as typeof zoneInput.session,
      zone: zoneInput.zone,
      signal: new AbortController().signal,
      spend: async () => void due.delete("a"),
      isDue: ({ name }) => due.has(name),
      isolated: new Set(),
    },
    [group("a"), group("b")],
  );
  expect(sent).toEqual([["b"]]);
  expect(results.map(({ group: { name } }) => name)).toEqual(["b"]);
});

test("Z-14 what the registry cannot write down is not sent", async () => {
  const { zoneInput } = engineWorld();
  let calls = 0;
  const apply = async function* () {
    calls += 1;
    yield { name: "a", status: "applied" as const };
  };
  const recordIntents = async () => {
    throw new OperationError({ code: "Forbidden", message: "no", retry: "backoff" });
  };
  const context = {
    session: { ...zoneInput.session, apply } as unknown as typeof zoneInput.session,
    zone: zoneInput.zone,
    registry: { externalStore: { recordIntents }, confirm: async () => undefined },
    signal: new AbortController().signal,
    spend: async () => undefined,
    isDue: () => true,
    isolated: new Set<string>(),
  };
  const [result] = await applyBatch(context, [group("a")]);
  expect([calls, result?.outcome.status]).toEqual([0, "retry"]);
});

test("after the engine was told to stop nothing is opened or sent any more", async () => {
  const { clock, engine, zoneInput, values } = engineWorld();
  const stopped = engine.stop();
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(10_000);
  await stopped;
  expect([values("www"), engine.isOpen(KEY)]).toEqual([[], false]);
});

test("where no fence can stop it, a call ends with the Lease, and nobody knows what it did", async () => {
  const { zoneInput, clock } = engineWorld();
  const applying = applyBatch(
    {
      session: {
        ...zoneInput.session,
        apply: async function* (_zone: unknown, _groups: unknown, signal: AbortSignal) {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          yield* [];
        },
      } as unknown as typeof zoneInput.session,
      zone: zoneInput.zone,
      signal: new AbortController().signal,
      spend: async () => {},
      isDue: () => true,
      isolated: new Set(),
      fence: { compare: null, hasMoved: async () => false, callMs: () => 4_000, clock },
    },
    [group("a")],
  );
  await clock.advance(4_000);
  const [result] = await applying;
  expect([result?.outcome.status, clock.pendingTimers]).toEqual(["unknown", 0]);
});

/** Two groups of one call; the server answers each call with the next of these. */
function applyAndRecord(
  statuses: readonly string[],
  given: Partial<Parameters<typeof applyBatch>[0]> = {},
) {
  const { zoneInput, clock } = engineWorld();
  const confirmed: string[] = [];
  const left = [...statuses];
  const apply = async function* (_zone: unknown, groups: readonly ChangeGroup[]) {
    const status = left.shift() ?? "applied";
    for (const { name } of groups) yield { name, status, message: "no", code: "REFUSED" };
  };
  const confirm = async ({ name }: ChangeGroup, { status }: { readonly status: string }) =>
    void confirmed.push(`${name} ${status}`);
  const hasMoved = async () => true;
  const applying = applyBatch(
    {
      session: { ...zoneInput.session, apply } as unknown as typeof zoneInput.session,
      zone: zoneInput.zone,
      registry: { externalStore: { recordIntents: async () => undefined }, confirm },
      signal: new AbortController().signal,
      spend: async () => undefined,
      isDue: () => true,
      isolated: new Set(),
      fence: { compare: null, hasMoved, callMs: () => null, clock },
      ...given,
    },
    [group("a"), group("b")],
  );
  return { confirmed, applying };
}

test("Z-14 a call that the fence stopped has no results, and the registry hears that it wrote nothing", async () => {
  const { confirmed, applying } = applyAndRecord(["precondition-failed"]);
  expect(await applying).toEqual([]);
  expect(confirmed).toEqual(["a precondition-failed", "b precondition-failed"]);
});

test("Z-14 nor does a fence that cannot be read leave the registry with a call in flight", async () => {
  const { clock } = engineWorld();
  const hasMoved = () => Promise.reject(new Error("unreadable"));
  const fence = { compare: null, hasMoved, callMs: () => null, clock };
  const { confirmed, applying } = applyAndRecord(["precondition-failed"], { fence });
  await expect(applying).rejects.toThrow("unreadable");
  expect(confirmed).toEqual(["a precondition-failed", "b precondition-failed"]);
});

test("Z-14 of a call that is sent in parts, the registry hears of what is not due any more", async () => {
  let calls = 0;
  const isDue = ({ name }: ChangeGroup) => name !== "b" || calls < 2;
  const spend = async () => {
    calls += 1;
  };
  const { confirmed, applying } = applyAndRecord(["rejected", "applied"], { isDue, spend });
  expect((await applying).map(({ group: { name } }) => name)).toEqual(["a"]);
  expect(confirmed).toEqual(["b retry"]);
});
