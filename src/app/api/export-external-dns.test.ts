/** Tests what external-dns does not understand, by the names that it reads. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { rulesByFlags } from "../../../test/support/values/external-dns-flags.ts";
import { nameTemplate } from "../../../test/support/values/name-template.ts";
import { nameOf, ORIGIN } from "../../../test/support/values/zone-text.ts";
import { LABEL, TYPED } from "../../ownership/txt/name-template.ts";
import type { OwnershipRow, ZoneOwnership } from "../../sync/contract/ownership-rows.ts";
import { exportText } from "../commands/ask/texts/text-of.ts";
import type { SpokenDialect } from "../compose/instance.ts";
import { exportOf } from "./export-external-dns.ts";

const PLAIN = '["\\"heritage=external-dns,external-dns/owner=me\\""]';

function rowOf(name: string, markerName: string, more: Partial<OwnershipRow> = {}): OwnershipRow {
  return {
    name: nameOf(name),
    type: "A",
    setIdentifier: null,
    values: ["192.0.2.1"],
    whose: "ours",
    owners: ["me"],
    resource: "service/default/web",
    marker: PLAIN,
    markerName: nameOf(markerName),
    isPending: false,
    wantedBy: null,
    isAdoptable: false,
    permit: null,
    ...more,
  };
}

function remarks(
  row: OwnershipRow,
  affixes = TYPED,
  named: ReadonlySet<DnsName> = new Set([row.name]),
  dialect: SpokenDialect | null = null,
): readonly string[] {
  const zone = { id: "z", name: ORIGIN, providerType: "memory", endpoint: "", view: "" };
  const key = { account: "a", zone: "z" };
  const all: ZoneOwnership = {
    ...{ key, zone, owners: ["me"], adoption: "never", trouble: null },
    rows: [row],
  };
  return exportOf([all], { affixes, named, dialectOf: () => dialect }).flatMap((one) =>
    one.remarks.map(({ message }) => message),
  );
}

const LONG = "x".repeat(63);

describe("understood", () => {
  test.each<[string, OwnershipRow, typeof TYPED]>([
    ["the default", rowOf("www", "a-www"), TYPED],
    ["a wildcard", rowOf("*.w", "a-*.w"), TYPED],
    ["a marker that says no type", rowOf("www", "www"), TYPED],
    ["a prefix", rowOf("www", "txt-a-www"), nameTemplate("txt-")],
    ["a template", rowOf("@", "_owner.a"), LABEL],
    ["a wildcard's replacement", rowOf("*.w", "a-any.w"), nameTemplate("", "", "any")],
    ["somebody else's", rowOf("www", "x", { whose: "another", owners: ["you"] }), TYPED],
  ])("%s", (_, row, affixes) => {
    expect(remarks(row, affixes)).toEqual([]);
  });
});

describe("not understood", () => {
  test.each<[string, OwnershipRow, RegExp]>([
    ["a fallback", rowOf("www", "_owner.a.www"), /looks at a-www.example.org: zonekeeper registry/],
    ["an old wildcard", rowOf("*.w", "_owner.a._wildcard.w"), /looks at a-\*.w.example.org/],
    ["the apex", rowOf("@", "_owner.a"), /would look beside the zone: it never updates/],
    ["a long label", rowOf(LONG, `_owner.a.${LONG}`), /would look at no name that is possible/],
    ["a type", rowOf("www", "txt-www", { type: "TXT" }), /unless --managed-record-types=TXT/],
    ["encrypted", rowOf("www", "a-www", { marker: '["AAAA"]' }), /its marker is encrypted/],
    [
      "signed",
      rowOf("www", "a-www", { marker: `["heritage=external-dns,external-dns/sig=x"]` }),
      /the signature of its marker goes/,
    ],
    ["another format", rowOf("www", "www", { format: "mesh" }), /the format mesh/],
    ["a permit", rowOf("www", "a-www", { permit: { owner: "you", resource: "x" } }), /its permit/],
    ["a half pair", rowOf("www", "a-www", { values: null }), /a marker without its record/],
    ["contested", rowOf("www", "a-www", { whose: "contested" }), /two owners claim it/],
    ["under way", rowOf("www", "a-www", { isPending: true }), /a write of it is under way/],
    ["a legacy marker of an AAAA", rowOf("www", "www", { type: "AAAA" }), /looks at aaaa-www/],
  ])("%s", (_, row, message) => {
    const found = remarks(row);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  test("an owner that is not in the zone", () => {
    const { markerName: _, ...row } = rowOf("www", "x");
    expect(remarks(row)[0]).toMatch(/not written in the zone/);
  });
});

describe("what no object names in external-dns's annotations", () => {
  const none = new Set<DnsName>();
  test.each<[string, string | null, RegExp]>([
    [
      "a Service",
      "service/default/web",
      /^external-dns removes it.*give service\/default\/web the/,
    ],
    ["a DNSEntry", "dnsentry/default/web", /^external-dns removes it.*write a DNSEndpoint/],
    ["no object", null, /^external-dns removes it.*--policy=upsert-only$/],
  ])("%s: it is removed", (_, resource, message) => {
    expect(remarks(rowOf("www", "a-www", { resource }), TYPED, none)).toEqual([
      expect.stringMatching(message),
    ]);
  });

  test.each([
    ["a DNSEndpoint is external-dns's own kind", rowOf("www", "a-www", { resource: "crd/a/b" }), 0],
    ["a marker that it does not read", rowOf("@", "_owner.a"), 1],
    ["a type that it does not manage", rowOf("www", "txt-www", { type: "TXT" }), 1],
  ])("%s: it stays", (_, row, count) => {
    const found = remarks(row, TYPED, none);
    expect(found).toHaveLength(count);
    expect(found.join()).not.toContain("external-dns removes");
  });
});

describe("with its dialect", () => {
  const rules = rulesByFlags(
    ...["--txt-prefix=X-", "--txt-encrypt-enabled", `--txt-encrypt-aes-key=${"k".repeat(32)}`],
    ...[
      "--managed-record-types=A",
      "--managed-record-types=MX",
      "--exclude-domains=out.example.org",
    ],
  );
  const none = new Set<DnsName>();
  const wanted = { wantedBy: "service/default/web" };
  test.each<[string, OwnershipRow, "sync" | "upsert-only", readonly unknown[]]>([
    [
      "its affixes, types and key are known",
      rowOf("www", "x-mx-www", { type: "MX", marker: '["AAAA"]', ...wanted }),
      "sync",
      [],
    ],
    [
      "a marker elsewhere",
      rowOf("www", "a-www", wanted),
      "sync",
      [expect.stringMatching(/looks at x-a-www/)],
    ],
    [
      "a type that it leaves alone",
      rowOf("www", "x-cname-www", { type: "CNAME", ...wanted }),
      "sync",
      [expect.stringMatching(/leaves CNAME records alone/)],
    ],
    [
      "no object wants it",
      rowOf("www", "x-a-www"),
      "sync",
      [expect.stringMatching(/^external-dns removes it.*filters let in/)],
    ],
    ["nothing is removed", rowOf("www", "x-a-www"), "upsert-only", []],
    ["its name is outside of the filters", rowOf("out", "x-a-out"), "sync", []],
  ])("%s", (_, row, policy, expected) => {
    expect(remarks(row, TYPED, none, { rules, policy })).toEqual(expected);
  });

  test("affixes that are given go before", () => {
    const dialect = { rules, policy: "sync" } as const;
    expect(remarks(rowOf("www", "txt-a-www", wanted), nameTemplate("txt-"), none, dialect)).toEqual(
      [],
    );
  });
});

test("the text says it zone by zone", () => {
  const remark = { name: nameOf("www"), type: "A", message: "m" };
  const zones = [
    { zone: ORIGIN, records: 3, remarks: [remark, remark] },
    { zone: nameOf("sub"), records: 2, remarks: [] },
  ];
  expect(exportText(zones, ["zone x: cannot be read: y"]).split("\n")).toEqual([
    "zone example.org: of 3 record sets external-dns does not understand 1, or not wholly, or removes them",
    "  www.example.org A: m",
    "  www.example.org A: m",
    "zone sub.example.org: external-dns understands and keeps all 2 record sets",
    "zone x: cannot be read: y",
    "",
  ]);
});
