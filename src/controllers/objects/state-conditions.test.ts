import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { NO_CAUSE, type StateFacts, stateConditions } from "./state-conditions.ts";

/** `Ready=True Progressing=False (Published)`. */
const shown = (facts: Partial<StateFacts>, status: Fields = {}): string => {
  const list = stateConditions({ state: "Ready", message: "why", ...NO_CAUSE, ...facts }, status);
  const reasons = [...new Set(list.map(({ reason }) => reason))];
  return `${list.map(({ type, status: is }) => `${type}=${is}`).join(" ")} (${reasons.join()})`;
};

const MISTAKE = { code: "InvalidTtl", isMistake: true };

test.each<[Partial<StateFacts>, string]>([
  [{ state: "Ready" }, "Ready=True Progressing=False (Published)"],
  [{ state: "Ready", code: "SharedRecord" }, "Ready=True Progressing=False (SharedRecord)"],
  [{ state: "Pending" }, "Ready=Unknown Progressing=True (Publishing)"],
  // Nobody has to do anything: it passes.
  [{ state: "Pending", code: "NotSynced" }, "Ready=False Progressing=True (NotSynced)"],
  // A person has to.
  [{ state: "Pending", code: "FuseTripped" }, "Ready=False Progressing=False (FuseTripped)"],
  [{ state: "Error", code: "ForeignRecord" }, "Ready=False Progressing=False (ForeignRecord)"],
  [{ state: "Stale", code: "Refused" }, "Ready=False Progressing=False (Refused)"],
  [{ state: "Deleting" }, "Ready=False Progressing=True (Deleting)"],
  [{ state: "Deleting", code: "FuseTripped" }, "Ready=False Progressing=False (FuseTripped)"],
  // Only an edit helps, whether a record of before exists or not.
  [{ state: "Invalid", ...MISTAKE }, "Ready=False Progressing=False Stalled=True (InvalidTtl)"],
  [{ state: "Stale", ...MISTAKE }, "Ready=False Progressing=False Stalled=True (InvalidTtl)"],
  [{ state: "Error" }, "Ready=False Progressing=False (NotPublished)"],
  // The API refuses a reason of this form.
  [{ state: "Error", code: "no such thing" }, "Ready=False Progressing=False (NotPublished)"],
])("%j: %s", (facts, expected) => {
  expect(shown(facts)).toBe(expected);
});

test("a restart that knows no code keeps the stored one, as long as the message is the same", () => {
  const stored = { type: "Ready", status: "True", reason: "SharedRecord", message: "why" };
  const status = { conditions: [stored] };
  expect(shown({ state: "Ready" }, status)).toContain("(SharedRecord)");
  expect(shown({ state: "Ready", message: "another" }, status)).toContain("(Published)");
  expect(shown({ state: "Stale" }, status)).toContain("(NotPublished)");
});
