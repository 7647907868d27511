/**
 * The order of test files: those that last longest begin first, so that no core is idle at the end
 * while one of them is played. All others as vitest orders them.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What `npm run measure` shows after a run, the longest first. */
const LONGEST = [
  "import",
  "safety-foreign",
  "found-by-use",
  "plugins",
  "bad-input-gardener",
  "image",
  "alerts",
  "provider-judges",
  "ownership-transfer",
  "live-mode",
  "e2e-dev",
  "lookups",
  "user-mistakes",
  "run-operations",
  "run-fence",
  "guide-ownership",
  "lost-status",
  "run-registry",
  "run-replicas",
  "provider-conformance",
  "gardener-kubectl",
  "rails",
  "tenants",
  "watch-faults",
  "plugin-registry",
  "packages",
  "command-line",
].map((name) => `test/real/${name}.test.ts`);

/** See above. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
