/**
 * Cases that only some back ends can be asked: declared there, and not counted as skipped
 * elsewhere.
 */
import { test } from "vitest";

/** `test` when `applies`, nothing otherwise. */
export function testWhere(applies: boolean, title: string, body: () => Promise<void> | void): void {
  if (applies) test(title, body);
}
