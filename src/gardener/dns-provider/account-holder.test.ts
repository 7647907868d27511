/** Z-18: what a DNSProvider says about its account. */
import { expect, test } from "vitest";
import { accountHolder } from "./opened-account.ts";

test("same-zone-as and other-zone-than name DNSProviders, of the own namespace where none is named", () => {
  const holder = accountHolder({
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSProvider",
    metadata: {
      name: "real",
      namespace: "infra",
      creationTimestamp: "2026-01-01T00:00:00Z",
      annotations: {
        "zonekeeper.dev/same-zone-as": " beside, team/second,, ",
        "zonekeeper.dev/other-zone-than": "inner",
      },
    },
  });
  expect(holder).toEqual({
    id: "infra/real",
    createdAtMs: Date.parse("2026-01-01T00:00:00Z"),
    sameAs: ["infra/beside", "team/second"],
    otherThan: ["infra/inner"],
  });
});
