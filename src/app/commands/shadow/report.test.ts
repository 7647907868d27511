/** Tests the report of a plan and of who owns what. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { OwnershipRow, ZoneOwnership } from "../../../sync/contract/ownership-rows.ts";
import type { ZoneStatus } from "../../../sync/contract/zone-status.ts";
import { planDocument } from "../../api/plan/document.ts";
import { type ShadowInput, shadowDocument, shadowText } from "./report.ts";

const ZONE = trustedDnsName("example.org");
const WHOLE = { zone: null, name: null, limit: null } as const;
const BLIND = { providers: [], caches: [], unread: [] };
const zone = {
  ...{ id: "example.org", name: ZONE, providerType: "rfc2136" },
  ...{ endpoint: "192.0.2.53:53", view: "" },
};
const key = { zone: ZONE, account: "a", id: "example.org" };

function row(label: string, more: Partial<OwnershipRow> = {}): OwnershipRow {
  return {
    ...{ name: trustedDnsName(`${label}.example.org`), type: "A", setIdentifier: null },
    ...{ values: ["192.0.2.1"], whose: "ours", owners: ["me"], resource: `service/a/${label}` },
    ...{ marker: "m", isPending: false, wantedBy: `service/a/${label}`, isAdoptable: false },
    permit: null,
    ...more,
  };
}

function report(rows: readonly OwnershipRow[], more: Partial<ShadowInput> = {}) {
  const rights: readonly ZoneOwnership[] = [
    { key, zone, owners: ["me"], adoption: "never", trouble: null, rows },
  ];
  const status: ZoneStatus = {
    state: "ready",
    ...{ key, zone, paused: null, isAtomic: true, message: null },
    ...{ ownedNames: rows.length, foreignNames: 0, open: [], danglingNames: 0, heldSets: [] },
  };
  const document = shadowDocument({
    ...{ owner: "me", policy: "upsert-only", rights, listed: [], unread: [], absent: [] },
    rules: { scope: { include: [], exclude: [] } },
    plan: planDocument([status], WHOLE, BLIND),
    ...more,
  });
  return { document, text: shadowText(document) };
}

const ORPHAN = row("old", { wantedBy: null, orphan: "orphan: no such object exists here" });

test("what both keep is equal; an orphan differs only where external-dns would remove it", () => {
  const kept = report([row("www"), ORPHAN]);
  expect(kept.document).toMatchObject({
    verdict: "equal",
    zones: [{ counts: { equal: 1, different: 0, orphan: 1, foreign: 0 } }],
  });
  expect(kept.text).toMatch(/old\.example\.org A of service\/a\/old: orphan: no such object/);
  expect(kept.text).toMatch(/Equal: this program would change nothing\.\n$/);
  expect(report([ORPHAN], { policy: "sync" }).document.verdict).toBe("different");
});

test("without markers, what is as an object wants it is equal, and unowned", () => {
  const rows = [
    row("www", { whose: "nobody", isAdoptable: true }),
    row("hand", { whose: "nobody", wantedBy: null }),
    row("other", { whose: "nobody", becomes: { values: ["192.0.2.9"], ttlSeconds: 300 } }),
  ];
  const rights = (adoption: ZoneOwnership["adoption"]) => [
    { key, zone, owners: ["me"], adoption, trouble: null, rows },
  ];
  const equal = (adoption: ZoneOwnership["adoption"]) =>
    report(rows, { rights: rights(adoption) }).document.names.map(({ name }) => name);
  expect([equal("unmarked"), equal("never")]).toEqual([["www.example.org"], []]);
});

test("orphans of an owner id that everybody has may be of another cluster", () => {
  expect(report([ORPHAN]).text).not.toContain("another cluster");
  expect(report([ORPHAN], { owner: "default" }).text).toContain(
    "has default: these may be of another cluster.",
  );
});

test("names outside of all zones are listed, and no difference", () => {
  const listed = ["www.example.org", "www.example.net", "www.example.com"].map((name) => ({
    ...{ object: "service/a/www", cluster: "c1", name: trustedDnsName(name) },
    ...{ state: "", message: "" },
  }));
  const exclude = [trustedDnsName("example.com")];
  const { document } = report([], { listed, rules: { scope: { include: [], exclude } } });
  expect([document.verdict, document.unserved.map(({ name, state }) => [name, state])]).toEqual([
    "equal",
    [["www.example.net", "NoZone"]],
  ]);
});

test("a kind whose definition is not installed is a note", () => {
  const { document, text } = report([row("www")], {
    absent: ["httproutes.gateway.networking.k8s.io"],
  });
  expect(document.verdict).toBe("equal");
  expect(text).toMatch(/^Not installed, .*:\n {2}httproutes\.gateway/m);
});

test("what is not read yet makes all unknown, and nothing is said of names outside", () => {
  const listed = [
    {
      ...{ object: "service/a/www", cluster: "c1", name: trustedDnsName("www.example.net") },
      ...{ state: "", message: "" },
    },
  ];
  const unread = ["zone example.org: not all names are planned yet"];
  const { document, text } = report([row("www")], { listed, unread });
  expect([document.verdict, document.unserved]).toEqual(["unknown", []]);
  expect(text).toContain(`Not known:\n  ${unread[0]}`);
  const nothing = report([], { plan: planDocument([], WHOLE, BLIND) }).document;
  expect(nothing.unknown).toEqual([expect.stringContaining("no zone is open")]);
});
