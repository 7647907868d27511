/** Z-16: the limits hold, and each former one is seen to be another. */
import { expect, test } from "vitest";
import { importMutated, type Mutant } from "../mutants/mutant.ts";
import { checkApproved, checkFuseLimits } from "./fuse-limits.ts";

test("Z-16 the limits hold for zones that grow meanwhile", () => {
  expect(checkFuseLimits).not.toThrow();
});

test("Z-16 after an approved set as much passes as of a zone without it", () => {
  expect(checkApproved).not.toThrow();
});

const LIMITS = "src/model/fuse-limits.ts";
const MUTANTS: readonly Mutant[] = [
  {
    drops: "Z-16 10 % of a zone",
    file: LIMITS,
    from: "strongShare: 0.1,",
    to: "strongShare: 0.3,",
  },
  { drops: "Z-16 1 % weak", file: LIMITS, from: "weakShare: 0.01,", to: "weakShare: 0.3," },
  {
    drops: "Z-16 30 % of a namespace",
    file: LIMITS,
    from: "namespaceShare: 0.3,",
    to: "namespaceShare: 1,",
  },
  {
    drops: "Z-16 a weak proof never takes the last owned name",
    file: "src/plan/fuse-limits.ts",
    from: "(zone.losesLastName && one.waiting.weak > 0)",
    to: "false",
  },
  {
    drops: "Z-16 the base is that of the start of the hour",
    file: "src/plan/fuse.ts",
    from: "const owned = state.samples[0]?.owned ?? 0;",
    to: "const owned = Math.max(0, ...state.samples.map((one) => one.owned));",
  },
  {
    drops: "ADR 0064 an approved removal leaves the count with what came before it",
    file: "src/plan/fuse.ts",
    from: "...withoutApproved(state, removals),",
    to: "...state,",
  },
  {
    drops: "ADR 0064 the base of the zone shrinks",
    file: "src/plan/fuse.ts",
    from: "samples: state.samples.map((sample) => less(sample, gone.length)),",
    to: "samples: state.samples,",
  },
  {
    drops: "ADR 0064 the base of the namespace shrinks",
    file: "src/plan/fuse.ts",
    from: "less(base, goneIn(namespace))",
    to: "base",
  },
  {
    drops: "Z-16 what passes after an approval counts: ten, and the eleventh trips",
    file: "src/plan/fuse.ts",
    from: "const passed = state.passed.filter(({ namespace }) => !namespaces.has(namespace));",
    to: "const passed: typeof state.passed = []; state = { ...state, samples: [{ atMs: 0, owned: 1e9 }] };",
  },
];

interface Checks {
  readonly checkFuseLimits: () => void;
  readonly checkApproved: () => void;
}

test.each(MUTANTS)("without $drops it is S5", async (mutant) => {
  const module = await importMutated("proofs/fuse-limits.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  const { checkFuseLimits: limits, checkApproved: approved } = module as Checks;
  expect(() => {
    limits();
    approved();
  }).toThrow("S5:");
});
