import { expect, test } from "vitest";
import { nameOf } from "../../../test/support/values/zone-text.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import { outcomeForGroup } from "./failures.ts";

const refused = { status: "rejected", code: "REFUSED", message: "refused" } as const;

function group(label: string, type: string): ChangeGroup {
  const name = nameOf(label);
  const data = { ttlSeconds: 300, values: ["x"], properties: {}, routingPolicy: null };
  const next = { name, type, setIdentifier: null, ...data };
  return { name, keys: [], changes: [{ op: "create", next }], preconditions: [] };
}

const messageOf = (label: string, type: string): unknown => {
  const outcome = outcomeForGroup(group(label, type), refused);
  return "message" in outcome ? outcome.message : null;
};

test("an address at a name that is no host name: check-names of BIND is named as the likely cause", () => {
  expect(messageOf("u_s", "A")).toBe(
    'refused; u_s.example.org is no host name (_), so check-names of BIND is the likely cause: set "check-names primary ignore", or choose another name',
  );
  expect(messageOf("_dmarc", "TXT")).toBe("refused");
  expect(messageOf("www", "A")).toBe("refused");
});

test("a SERVFAIL for a large record set names BIND's max-records-per-type; others do not", () => {
  const sized = (count: number): ChangeGroup => {
    const one = group("many", "A");
    const values = Array.from({ length: count }, (_, index) => `192.0.2.${index}`);
    return {
      ...one,
      changes: one.changes.map((change) =>
        change.op === "create" ? { ...change, next: { ...change.next, values } } : change,
      ),
    };
  };
  const failed = { status: "retry", afterMs: null, message: "SERVFAIL", mayStand: true } as const;
  expect(outcomeForGroup(sized(150), failed)).toMatchObject({
    message:
      "SERVFAIL; many.example.org would have 150 A records, and BIND takes 100 of a type at a name by default: raise max-records-per-type of the zone, or use fewer values",
  });
  expect(outcomeForGroup(sized(100), failed)).toMatchObject({ message: "SERVFAIL" });
  expect(outcomeForGroup(sized(150), refused)).toMatchObject({ message: "refused" });
});
