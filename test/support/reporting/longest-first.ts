/**
 * The order of test files: those that last longest begin first, so that no core is idle at the end
 * while one of them is played. All others as vitest orders them.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What `npm run measure` shows after a run; the order among them is of no importance. */
const LONGEST = [
  "found-by-use",
  "safety-foreign",
  "bad-input-gardener",
  "image",
  "run-operations",
  "live-mode",
  "found-by-use",
  "lookups",
  "alerts",
  "user-mistakes",
  "ownership-transfer",
  "run-registry",
  "guide-ownership",
  "gardener-kubectl",
  "provider-judges",
  "e2e-dev",
].map((name) => `test/real/${name}.test.ts`);

/** See above. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONGEST.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
