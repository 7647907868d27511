import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { NOTHING } from "../../sources/source.ts";
import { decideDeletion } from "./decide-entry-deletion.ts";
import { readEntry } from "./entry.ts";
import type { EntryContext } from "./entry-context.ts";

const T0 = Date.parse("2026-01-01T00:00:00Z");
const KEY = { account: "acc", zone: "z" };

function going(nowMs: number, annotations: Readonly<Record<string, string>> = {}): EntryContext {
  const object = {
    ...{ apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSEntry" },
    metadata: {
      ...{ name: "web", namespace: "default", generation: 2, annotations },
      ...{ deletionTimestamp: "2026-01-01T00:00:00Z" },
      finalizers: ["dns.gardener.cloud/compound"],
    },
  };
  return {
    entry: readEntry(object, "c1", DEFAULT_CLASSES),
    found: NOTHING,
    ...{ lookedUp: null, selection: { kind: "none" }, statusProvider: "usable" },
    statusZone: { key: KEY, zone: trustedDnsName("example.org") },
    ...{ providerTypes: null, assignments: [], unwantedRecords: [], origin: "elsewhere" },
    ...{ refused: null, endsWithDefinition: false },
    ...{ successor: null, ownerId: "me", defaultTtlSeconds: 300, nowMs },
  };
}

test("Z-30 of an object that nobody here can see: whoever made it has ten seconds to ask for it", () => {
  const early = decideDeletion(going(T0 + 4_000));
  expect([early.send, early.finalizer, early.againAfterMs]).toEqual([[], null, 6_000]);
  expect(early.status?.message).toMatch(/its records stay for a moment/);
  const late = decideDeletion(going(T0 + 10_000));
  expect(late.send).toMatchObject([{ key: KEY, contribution: { deleting: true } }]);
  const asked = decideDeletion(going(T0 + 4_000, { "zonekeeper.dev/wanted-again": "true" }));
  expect([asked.send, asked.finalizer, asked.status]).toEqual([[], "remove", null]);
  const released = decideDeletion(going(T0, { "zonekeeper.dev/release": "true" }));
  expect(released.send).toHaveLength(1);
});
