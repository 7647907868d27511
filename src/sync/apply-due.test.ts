import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../test/support/engine-world.ts";
import { OperationError } from "../model/operation-error.ts";
import type { ChangeGroup } from "../plan/changes.ts";
import { applyBatch } from "./apply.ts";

/** A group that writes nothing; only its name counts here. */
function group(name: string): ChangeGroup {
  return { name, keys: [], changes: [], preconditions: [] } as unknown as ChangeGroup;
}

test("what is not due any more when the token comes is not sent", async () => {
  const { setup } = engineWorld();
  const due = new Set(["a", "b"]);
  const sent: string[][] = [];
  const results = await applyBatch(
    {
      session: {
        ...setup.session,
        apply: async function* (_zone: unknown, groups: readonly ChangeGroup[]) {
          sent.push(groups.map(({ name }) => name));
          for (const { name } of groups) yield { name, status: "applied" as const };
        },
      } as unknown as typeof setup.session,
      zone: setup.zone,
      signal: new AbortController().signal,
      spend: async () => void due.delete("a"),
      isDue: ({ name }) => due.has(name),
      suspects: new Set(),
    },
    [group("a"), group("b")],
  );
  expect(sent).toEqual([["b"]]);
  expect(results.map(({ group: { name } }) => name)).toEqual(["b"]);
});

test("Z-14 what the registry cannot write down is not sent", async () => {
  const { setup } = engineWorld();
  let calls = 0;
  const apply = async function* () {
    calls += 1;
    yield { name: "a", status: "applied" as const };
  };
  const begin = async () => {
    throw new OperationError({ code: "Forbidden", message: "no", retry: "backoff" });
  };
  const context = {
    session: { ...setup.session, apply } as unknown as typeof setup.session,
    zone: setup.zone,
    registry: { begin },
    signal: new AbortController().signal,
    spend: async () => undefined,
    isDue: () => true,
    suspects: new Set<string>(),
  };
  const [result] = await applyBatch(context, [group("a")]);
  expect([calls, result?.outcome.status]).toEqual([0, "retry"]);
});

test("after the engine was told to stop nothing is opened or sent any more", async () => {
  const { clock, engine, setup, values } = engineWorld();
  const stopped = engine.stop();
  engine.openZone(setup);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(10_000);
  await stopped;
  expect([values("www"), engine.isOpen(KEY)]).toEqual([[], false]);
});

test("where no fence can stop it, a call ends with the Lease, and nobody knows what it did", async () => {
  const { setup, clock } = engineWorld();
  const applying = applyBatch(
    {
      session: {
        ...setup.session,
        apply: async function* (_zone: unknown, _groups: unknown, signal: AbortSignal) {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          yield* [];
        },
      } as unknown as typeof setup.session,
      zone: setup.zone,
      signal: new AbortController().signal,
      spend: async () => {},
      isDue: () => true,
      suspects: new Set(),
      fence: { compare: null, hasMoved: async () => false, callMs: () => 4_000, clock },
    },
    [group("a")],
  );
  await clock.advance(4_000);
  const [result] = await applying;
  expect([result?.outcome.status, clock.pendingTimers]).toEqual(["unknown", 0]);
});
