/** Z-18: what the apex of two zones tells, and where it tells nothing. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { recordSet } from "../../../test/conformance/provider-harness.ts";
import type { Zone } from "../../model/zone.ts";
import { type ApexView, maybeSame } from "./way-facts.ts";

const SOA = "ns-1.example.net hostmaster.example.net 1 7200 900 1209600 86400";

function view(id: string, more: Partial<Zone> = {}): ApexView {
  const name = trustedDnsName("example.org");
  const apex = [recordSet(name, "SOA", SOA), recordSet(name, "NS", "ns-1.example.net")];
  return { zone: { id, name, providerType: "memory", endpoint: "e", view: "", ...more }, apex };
}

test("equal SOA and NS may be one zone, but for private zones of several ids", () => {
  expect(maybeSame(view("a"), view("b"))).toBe(true);
  const visibility = "private" as const;
  expect(maybeSame(view("a", { visibility }), view("b", { visibility }))).toBe(false);
  expect(maybeSame(view("a"), view("b", { visibility }))).toBe(false);
  const other = view("a", { visibility, endpoint: "other" });
  expect(maybeSame(view("a", { visibility }), other), "one id, two endpoints").toBe(true);
});
