/**
 * A vitest reporter that says aloud, once for each missing program, how many tests it kept from
 * running. It changes no result.
 */
import type { TestCase, TestModule } from "vitest/node";
import type { Reporter } from "vitest/reporters";
import { SKIP_MARK } from "./skip-mark.ts";

/**
 * Prints `SKIPPED n tests: knotd is not installed (apt-get install knot knot-dnsutils)` to standard
 * error.
 */
export class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const reason = reasonOf(test);
        if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    }
    for (const [reason, count] of counts)
      process.stderr.write(`SKIPPED ${count} ${count === 1 ? "test" : "tests"}: ${reason}\n`);
  }
}

function reasonOf(test: TestCase): string | null {
  for (let parent = test.parent; parent.type === "suite"; parent = parent.parent) {
    const found = SKIP_MARK.exec(parent.name)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}
