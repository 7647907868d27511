import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import type { DesiredRecordSet } from "../model/record-set.ts";
import type { OwnedRecordSet } from "./changes.ts";
import { compareTargets, joinDesired, type SurplusOf } from "./join-desired.ts";

const name = trustedDnsName("www.example.org");

function wanted(
  who: string,
  values: readonly string[],
  more: Partial<DesiredRecordSet> = {},
): DesiredRecordSet {
  const [kind = "", object = "", cluster = "c1"] = who.split("/");
  return {
    ...{ name, type: "A", setIdentifier: null, routingPolicy: null, ttlSeconds: null, values },
    ...{ properties: {}, owner: null, createdAtMs: 0 },
    provenance: { cluster, kind, namespace: "default", name: object },
    ...more,
  };
}

function present(values: readonly string[]): OwnedRecordSet {
  const key = { name, type: "A", setIdentifier: null };
  const data = { ...key, ttlSeconds: 300, values, properties: {}, routingPolicy: null };
  const marker = { owner: "me", resource: "service/default/a", cluster: null, labels: {} };
  return { ...key, data, marker: { ...marker, record: null }, contested: false };
}

const GO: SurplusOf = () => ({ kept: null, leavers: [] });
const shown = (desired: readonly DesiredRecordSet[]) =>
  joinDesired(desired, [], GO).desired.map(({ values, ttlSeconds }) => [ttlSeconds, ...values]);

describe("ADR 0126 what objects want together", () => {
  test.each<readonly [string, readonly DesiredRecordSet[], readonly unknown[]]>([
    [
      "one kind: all values",
      [wanted("ingress/b", ["192.0.2.2"]), wanted("ingress/a", ["192.0.2.1"])],
      [
        [null, "192.0.2.1", "192.0.2.2"],
        [null, "192.0.2.1", "192.0.2.2"],
      ],
    ],
    [
      "two kinds",
      [wanted("ingress/a", ["192.0.2.1"]), wanted("service/a", ["192.0.2.2"])],
      [
        [null, "192.0.2.1"],
        [null, "192.0.2.2"],
      ],
    ],
    [
      "two clusters",
      [wanted("ingress/a/c1", ["192.0.2.1"]), wanted("ingress/a/c2", ["192.0.2.2"])],
      [
        [null, "192.0.2.1"],
        [null, "192.0.2.2"],
      ],
    ],
    [
      "two TTLs",
      [wanted("ingress/a", ["192.0.2.1"], { ttlSeconds: 60 }), wanted("ingress/b", ["192.0.2.2"])],
      [
        [60, "192.0.2.1"],
        [null, "192.0.2.2"],
      ],
    ],
    [
      "two TTLs of Services: that of the first by name",
      [
        wanted("service/b", ["192.0.2.2"], { ttlSeconds: 60 }),
        wanted("service/a", ["192.0.2.1"], { ttlSeconds: 600 }),
      ],
      [
        [600, "192.0.2.1", "192.0.2.2"],
        [600, "192.0.2.1", "192.0.2.2"],
      ],
    ],
    [
      "two CNAMEs",
      [
        wanted("service/a", ["a.example.net"], { type: "CNAME" }),
        wanted("service/b", ["b.example.net"], { type: "CNAME" }),
      ],
      [
        [null, "a.example.net"],
        [null, "b.example.net"],
      ],
    ],
  ])("%s", (_, desired, expected) => {
    expect(shown(desired)).toEqual(expected);
  });

  test("a value that may be somebody's stays, and the first object is told once", () => {
    const kept = { code: "NotSynced", message: "not read" } as const;
    const desired = [wanted("service/a", ["192.0.2.1"]), wanted("service/b", ["192.0.2.2"])];
    const joined = joinDesired(desired, [present(["192.0.2.1", "192.0.2.9"])], () => ({
      ...{ kept, leavers: [] },
    }));
    for (const { values } of joined.desired)
      expect(values).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.9"]);
    expect(joined.holds).toMatchObject([
      { code: "NotSynced", message: "192.0.2.9: not read", provenance: { name: "a" } },
    ]);
  });

  test("those that leave are named, where values leave", () => {
    const { marker } = present([]);
    const leavers = marker === null ? [] : [{ ...marker, resource: "service/default/z" }];
    const of = (values: readonly string[]) =>
      joinDesired([wanted("service/a", ["192.0.2.1"])], [present(values)], () => ({
        ...{ kept: null, leavers },
      })).leavers.size;
    expect([of(["192.0.2.1"]), of(["192.0.2.1", "192.0.2.9"])]).toEqual([0, 1]);
  });
});

test.each<readonly [string, string, readonly string[], string, readonly string[]]>([
  ["addresses before names", "A", ["192.0.2.9"], "CNAME", ["a.example.net"]],
  ["fewer before more", "A", ["192.0.2.9"], "A", ["192.0.2.1", "192.0.2.2"]],
  ["by number", "A", ["192.0.2.2"], "A", ["192.0.2.10"]],
  ["the later one", "A", ["192.0.2.1", "192.0.2.2"], "A", ["192.0.2.1", "192.0.2.3"]],
  ["names by text", "CNAME", ["a.example.net"], "CNAME", ["b.example.net"]],
  ["addresses of six by text", "AAAA", ["2001:db8::1"], "AAAA", ["2001:db8::2"]],
])("the order of external-dns: %s", (_, type, values, otherType, otherValues) => {
  const [a, b] = [
    wanted("service/b", values, { type }),
    wanted("service/a", otherValues, { type: otherType }),
  ];
  expect(compareTargets(a, b)).toBeLessThan(0);
  expect(compareTargets(b, a)).toBeGreaterThan(0);
  expect(compareTargets(a, { ...a })).toBe(0);
});
