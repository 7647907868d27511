import { describe, expect, test } from "vitest";
import { conditionIn, conditionsOf } from "./conditions.ts";

const T0 = Date.parse("2026-01-01T00:00:00Z");
const READY = { type: "Ready", status: "True", reason: "Published", message: "fine" } as const;
const STALLED = { ...READY, type: "Stalled", reason: "InvalidTtl" } as const;

describe("the list of conditions", () => {
  const first = conditionsOf({ current: undefined, wanted: [READY], generation: 1, nowMs: T0 });

  test("a new condition has the time of now, and its generation", () => {
    expect(first).toEqual([
      { ...READY, observedGeneration: 1, lastTransitionTime: "2026-01-01T00:00:00Z" },
    ]);
  });

  test("another reason, message or generation is no transition", () => {
    const wanted = [{ ...READY, reason: "SharedRecord", message: "also wanted" }];
    const next = conditionsOf({ current: first, wanted, generation: 2, nowMs: T0 + 60_000 });
    expect(next).toEqual([
      { ...wanted[0], observedGeneration: 2, lastTransitionTime: "2026-01-01T00:00:00Z" },
    ]);
  });

  test("another status is one", () => {
    const wanted = [{ ...READY, status: "False" } as const];
    const next = conditionsOf({ current: first, wanted, generation: 1, nowMs: T0 + 60_000 });
    expect(next[0]?.["lastTransitionTime"]).toBe("2026-01-01T00:01:00Z");
  });

  test("one of ours that is not wanted any more goes; others' conditions stay as they are", () => {
    const others = { type: "Audited", status: "True", probe: 1 };
    const current = [others, STALLED, ...first];
    const next = conditionsOf({ current, wanted: [READY], generation: 1, nowMs: T0 + 1 });
    expect(next).toEqual([others, ...first]);
    expect(conditionIn({ conditions: next }, "Stalled")).toBeNull();
    expect(conditionIn({ conditions: next }, "Ready")).toEqual(first[0]);
  });

  test.each([["a text"], [{ Ready: "True" }], [[null, "x", 3]]])(
    "a stored list of the wrong shape (%j) is begun anew",
    (current) => {
      const next = conditionsOf({ current, wanted: [READY], generation: 1, nowMs: T0 });
      expect(next).toContainEqual(first[0]);
    },
  );
});
