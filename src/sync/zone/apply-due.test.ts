import { OperationError } from "@zonekeeper/base/operation-error";
import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import { applyBatch } from "../calls/apply-batches.ts";

/** A group that writes nothing; only its name counts here. */
function group(name: string): ChangeGroup {
  return { name, keys: [], changes: [], preconditions: [] } as unknown as ChangeGroup;
}

/** `spent` is called for each token. */
function budgetWith(spent: () => void = () => undefined) {
  const slowed: (number | null)[] = [];
  return {
    slowed,
    write: async () => spent(),
    slowDown: (afterMs: number | null) => void slowed.push(afterMs),
  };
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
      budget: budgetWith(() => void due.delete("a")),
      isDue: ({ name }) => due.has(name),
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
    budget: budgetWith(),
    isDue: () => true,
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
      budget: budgetWith(),
      isDue: () => true,
      fence: { compares: [], hasMoved: async () => false, callMs: () => 4_000, clock },
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
      budget: budgetWith(),
      isDue: () => true,
      fence: { compares: [], hasMoved, callMs: () => null, clock },
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
  const fence = { compares: [], hasMoved, callMs: () => null, clock };
  const { confirmed, applying } = applyAndRecord(["precondition-failed"], { fence });
  await expect(applying).rejects.toThrow("unreadable");
  expect(confirmed).toEqual(["a precondition-failed", "b precondition-failed"]);
});

test("Z-14 of a call that is sent in parts, the registry hears of what is not due any more", async () => {
  let calls = 0;
  const isDue = ({ name }: ChangeGroup) => name !== "b" || calls < 2;
  const budget = budgetWith(() => {
    calls += 1;
  });
  const { confirmed, applying } = applyAndRecord(["rejected", "applied"], { isDue, budget });
  expect((await applying).map(({ group: { name } }) => name)).toEqual(["a"]);
  expect(confirmed).toEqual(["b retry"]);
});

/** A server that answers each call by a function of its number and its groups. */
function applyWith(
  answer: (call: number, name: string) => string | OperationError,
  given: Partial<Parameters<typeof applyBatch>[0]> = {},
) {
  const { zoneInput } = engineWorld();
  const calls: string[][] = [];
  const apply = async function* (_zone: unknown, groups: readonly ChangeGroup[]) {
    calls.push(groups.map(({ name }) => name));
    for (const { name } of groups) {
      const status = answer(calls.length, name);
      if (status instanceof OperationError) throw status;
      yield { name, status, message: "no", code: "InvalidValue" };
    }
  };
  const budget = budgetWith();
  const applying = applyBatch(
    {
      session: { ...zoneInput.session, apply } as unknown as typeof zoneInput.session,
      zone: zoneInput.zone,
      signal: new AbortController().signal,
      budget,
      isDue: () => true,
      ...given,
    },
    ["a", "b", "c", "d", "e"].map(group),
  );
  return { calls, applying, budget };
}

test("where the answer names the culprit, the others are sent again without it, in one call", async () => {
  const { calls, applying } = applyWith((call, name) => {
    if (call > 1) return "applied";
    return name === "c" ? "rejected" : "refused-together";
  });
  const results = await applying;
  expect(calls).toEqual([
    ["a", "b", "c", "d", "e"],
    ["a", "b", "d", "e"],
  ]);
  expect(results.map(({ group: { name }, outcome }) => `${name} ${outcome.status}`)).toEqual([
    "c rejected",
    "a applied",
    "b applied",
    "d applied",
    "e applied",
  ]);
});

test("a refusal that names nobody is split, also where it says that each is innocent", async () => {
  const { calls, applying } = applyWith((call) => (call === 1 ? "refused-together" : "applied"));
  expect((await applying).every(({ outcome }) => outcome.status === "applied")).toBe(true);
  expect(calls.map(({ length }) => length)).toEqual([5, 3, 2]);
});

const tooMany = new OperationError({
  code: "Throttled",
  message: "too many calls",
  retry: "after",
  retryAfterMs: 7_000,
  nothingSent: true,
});

test("Z-20 a throttled batch stays whole and waits in the account's budget", async () => {
  const { calls, applying, budget } = applyWith((call) => (call <= 2 ? tooMany : "applied"), {
    waitsIfThrottled: true,
  });
  expect((await applying).map(({ outcome }) => outcome.status)).toEqual(Array(5).fill("applied"));
  expect(calls.map(({ length }) => length)).toEqual([5, 5, 5]);
  expect(budget.slowed).toEqual([7_000, 7_000]);
});

test("Z-20 a throttled call that must not wait is to be tried again, and slows the account", async () => {
  const { calls, applying, budget } = applyWith(() => tooMany);
  expect((await applying)[0]?.outcome).toMatchObject({ status: "retry", afterMs: 7_000 });
  expect([calls.length, budget.slowed]).toEqual([1, [7_000]]);
});

test("Z-20 a call that was throttled after a part of it is not repeated: its name is read first", async () => {
  const { code, message, retry } = tooMany;
  const midway = new OperationError({ code, message, retry, retryAfterMs: 7_000 });
  const { calls, applying, budget } = applyWith(() => midway, { waitsIfThrottled: true });
  expect((await applying)[0]?.outcome.status).toBe("unknown");
  expect([calls.length, budget.slowed]).toEqual([1, [7_000]]);
});
