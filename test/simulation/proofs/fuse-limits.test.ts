/** Z-16: the limits hold, and each former one is seen to be another. */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import {
  checkApproved,
  checkApprovedOnce,
  checkEndedTogether,
  checkFuseLimits,
} from "./fuse-limits.ts";

test("Z-16 the limits hold for zones that grow meanwhile", () => {
  expect(checkFuseLimits).not.toThrow();
});

test("Z-16 after an approved set as much passes as of a zone without it", () => {
  expect(checkApproved).not.toThrow();
});

test("Z-16 an approval ends when its objects are back", () => {
  expect(checkApprovedOnce).not.toThrow();
});

test("Z-16 what ended with a definition is no part of the hour", () => {
  expect(checkEndedTogether).not.toThrow();
});

const MUTANTS: readonly Mutant[] = [
  {
    drops: "Z-16 10 % of a zone",
    clause: "strong-share-of-zone",
    to: "0.3",
  },
  { drops: "Z-16 1 % weak", clause: "weak-share-of-zone", to: "0.3" },
  {
    drops: "Z-16 30 % of a namespace",
    clause: "share-of-namespace",
    to: "1",
  },
  {
    drops: "Z-16 a weak proof never takes the last owned name",
    clause: "weak-proof-spares-last-name",
  },
  {
    drops: "Z-16 the base is that of the start of the hour",
    clause: "base-is-start-of-hour",
    to: "const owned = Math.max(0, ...state.samples.map((one) => one.owned));",
  },
  {
    drops: "ADR 0064 an approved removal leaves the count with what came before it",
    clause: "approved-removal-is-not-counted",
    to: "...state",
  },
  {
    drops: "ADR 0064 the base of the zone shrinks",
    clause: "zone-base-shrinks",
    to: "state.samples",
  },
  {
    drops: "ADR 0064 the base of the namespace shrinks",
    clause: "namespace-base-shrinks",
    to: "return [namespace, base] as const;",
  },
  {
    drops: "Z-16 what passes after an approval counts: ten, and the eleventh trips",
    clause: "passed-after-approval-counts",
    to: "const passed: typeof state.passed = []; state = { ...state, samples: [{ atMs: 0, owned: 1e9 }] };",
  },
  {
    drops: "ADR 0087 an approval ends when the record is wanted again (the rule before)",
    clause: "wanted-again-ends-approval",
    to: "state.approvedRemovals",
  },
  {
    drops: "ADR 0112 what ended with a definition holds no others (the rule before)",
    clause: "one-set-holds-no-others",
    to: "const isNumbered = () => true;",
  },
  {
    drops: "ADR 0112 an end of its own is none with the definition (the rule before)",
    clause: "ended-anew-leaves-set",
    to: "true",
  },
  {
    drops: "ADR 0112 what waits keeps the proof with which it joined (the rule before)",
    clause: "waiting-keeps-proof",
    to: "const planned = distinctItems([...state.later, ...items]);",
  },
];

interface Checks {
  readonly checkApprovedOnce: () => void;
  readonly checkFuseLimits: () => void;
  readonly checkApproved: () => void;
  readonly checkEndedTogether: () => void;
}

test.each(MUTANTS)("without $drops it is S5", async (mutant) => {
  const module = await importMutated("proofs/fuse-limits.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  const {
    checkFuseLimits: limits,
    checkApproved: approved,
    checkApprovedOnce: once,
    checkEndedTogether: together,
  } = module as Checks;
  expect(() => {
    limits();
    approved();
    once();
    together();
  }).toThrow("S5:");
});
