/**
 * Cases that only some back ends can be asked: declared there, and not counted as skipped
 * elsewhere.
 */
import { type TestContext, TestRunner, test } from "vitest";

/**
 * The case ends: the back end of this run lacks what it asks. The reason goes to
 * docs/reference/providers.md.
 */
export function isUnsupported(task: { readonly meta: object }, why: string): void {
  Object.assign(task.meta, { unsupported: why });
}

/** `test` when `applies`, nothing otherwise. */
export function testWhere(
  applies: boolean,
  title: string,
  body: (context: TestContext) => Promise<void> | void,
): void {
  if (applies) test(title, body);
}

/**
 * Cases of this suite, by title, that are known to fail, with the reasons: one that passes is an
 * error, and so is a title that no case has. To be called after the cases are declared.
 */
export function mustFail(differs: Readonly<Record<string, string>>): void {
  const { tasks } = TestRunner.getCurrentSuite();
  for (const [title, why] of Object.entries(differs)) {
    const found = tasks.find(({ name }) => name === title);
    if (found?.type !== "test") throw new Error(`no case is called: ${title}`);
    found.fails = true;
    isUnsupported(found, why);
  }
}
