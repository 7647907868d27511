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
      setup: {
        ...setup,
        session: {
          ...setup.session,
          apply: async function* (_zone: unknown, groups: readonly ChangeGroup[]) {
            sent.push(groups.map(({ name }) => name));
            for (const { name } of groups) yield { name, status: "applied" as const };
          },
        } as unknown as typeof setup.session,
      },
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
    setup: {
      ...setup,
      session: { ...setup.session, apply } as unknown as typeof setup.session,
      ownership: { ...setup.ownership, begin } as unknown as typeof setup.ownership,
    },
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
