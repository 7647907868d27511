import { expect, test } from "vitest";
import { nameOf } from "../../test/support/values/zone-text.ts";
import { holdAt } from "./hold-at.ts";
import { HOLD_REASONS, holdReason } from "./hold-reasons.ts";

test("every reason says what it means and what to do, in whole sentences", () => {
  for (const [code, reason] of Object.entries(HOLD_REASONS)) {
    expect(code).toMatch(/^[A-Z][A-Za-z]+$/);
    expect(reason.meaning).toMatch(/^[A-Z].*\.$/);
    expect(reason.remedy).toMatch(/^[A-Z].*\.$/);
    // Z-19: no hold ever makes an entry Invalid.
    expect(["Ready", "Stale", "Error", "Pending"]).toContain(reason.states.absent);
    // What stands is never told as if nothing did (Gardener: once Ready, never Error).
    expect(["Ready", "Stale", "Pending"]).toContain(reason.states.present);
    // Only what a move leaves behind, which passes by itself, is no trouble of the entry.
    if (reason.states.absent === "Ready") expect(reason.resolvedBy).toBe("nobody");
    expect(["user", "operator", "nobody"]).toContain(reason.resolvedBy);
  }
});

test("codes are looked up, and only those of the table", () => {
  expect(holdReason("ForeignRecord")?.states.absent).toBe("Error");
  expect(holdReason("toString")).toBeNull();
  expect(holdReason("Nonsense")).toBeNull();
});

test("a hold takes only the key's own fields", () => {
  const key = { name: nameOf("www"), type: "A", setIdentifier: null, values: ["192.0.2.1"] };
  const detail = { code: "Paused", message: "", provenance: null } as const;
  expect(Object.keys(holdAt(key, detail).key)).toEqual(["name", "type", "setIdentifier"]);
});
