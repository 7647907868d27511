/**
 * Cases that only some back ends can be asked: declared there, and not counted as skipped
 * elsewhere.
 */
import { type TestContext, test } from "vitest";

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
