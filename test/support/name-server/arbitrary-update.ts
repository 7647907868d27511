/** Random UPDATE sections on few names and values, so that they meet one another. */
import type { ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import fc from "fast-check";
import { nameOf } from "./zone-text.ts";

const NAMES = ["@", "a", "b.a", "c.b.a", "*.a", "x.y", "y"].map((name) => nameOf(name));
const DATA: Readonly<Record<string, readonly string[]>> = {
  A: ["192.0.2.1", "192.0.2.2"],
  TXT: ['"x"', '"y"'],
  CNAME: ["a.example.org", "b.example.org"],
  NS: ["ns1.example.org", "ns2.example.org"],
};

/**
 * One record of an update section: an addition, or a removal of a record, a set or a name. Never of
 * an SOA.
 */
export const arbitraryUpdate: fc.Arbitrary<ResourceRecord> = fc
  .record({
    name: fc.constantFrom(...NAMES),
    type: fc.constantFrom(...Object.keys(DATA)),
    pick: fc.nat(1),
    ttlSeconds: fc.constantFrom(60, 300),
    kind: fc.constantFrom("add", "add", "add", "record", "set", "name"),
  })
  .map(({ name, type, pick, ttlSeconds, kind }): ResourceRecord => {
    const data = DATA[type]?.[pick] ?? "";
    if (kind === "add") return { name, type, class: "IN", ttlSeconds, data };
    if (kind === "record") return { name, type, class: "NONE", ttlSeconds: 0, data };
    return { name, type: kind === "set" ? type : "ANY", class: "ANY", ttlSeconds: 0, data: null };
  });

/** Some update sections, one after the other. */
export const arbitraryHistory: fc.Arbitrary<readonly (readonly ResourceRecord[])[]> = fc.array(
  fc.array(arbitraryUpdate, { minLength: 1, maxLength: 5 }),
  { minLength: 1, maxLength: 8 },
);
