/**
 * The order of test files: those that last longest begin first, so that no core is idle at the end
 * while one of them is played. All others as vitest orders them: by project, and in a fresh clone
 * by size, so that a short file of a long test comes last.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What `npm run measure` shows after a run, the longest first. */
const LONGEST_REAL = [
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
];
const LONGEST = [
  "src/app/worlds/both-ways",
  "src/app/worlds/left-class-provider",
  ...LONGEST_REAL.map((name) => `test/real/${name}`),
].map((path) => `/${path}.test.ts`);

/** See above. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return at === -1 ? LONGEST.length : at;
    };
    const usual = await super.sort(files);
    // A worker that changes its project begins anew.
    const projects = [...new Set(usual.map(({ project }) => project))];
    const orderOf = ({ project }: TestSpecification): number => projects.indexOf(project);
    return usual.sort((a, b) => orderOf(a) - orderOf(b) || rank(a) - rank(b));
  }
}
