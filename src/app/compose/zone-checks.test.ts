import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { ClusterView, KindState } from "@zonekeeper/kube/ports/cluster-view";
import { expect, test } from "vitest";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import { cacheCheck, zoneCheck } from "./zone-checks.ts";

const name = trustedDnsName("example.org");
const status: ZoneStatus = {
  key: { account: "a", zone: name },
  zone: { id: name, name, providerType: "rfc2136", endpoint: "127.0.0.1:53", view: "" },
  ...{ state: "ready", paused: null, isAtomic: true, message: null, open: [] },
  ...{ ownedNames: 2, foreignNames: 1, danglingNames: 0, heldSets: [] },
};

test("a cache is well while it is live, a zone while its next change would be written", () => {
  const view = (state: KindState, trouble: string | null = null) =>
    ({ clusterId: "c", state: () => state, trouble: () => trouble }) as unknown as ClusterView;
  expect(cacheCheck(view("syncing"), SERVICE).ok).toBe(false);
  expect(cacheCheck(view("syncing", "etcd is old"), SERVICE).message).toContain("etcd is old");
  expect(cacheCheck(view("stale"), SERVICE)).toMatchObject({ ok: false, message: "stale" });
  expect(cacheCheck(view("forbidden"), SERVICE)).toMatchObject({ ok: false });
  expect(cacheCheck(view("forbidden"), SERVICE)).not.toHaveProperty("readyAnyway");
  expect(cacheCheck(view("absent"), SERVICE).ok).toBe(true);
  expect(zoneCheck({ ...status, state: "loading" })).toMatchObject({
    ok: false,
    readyAnyway: true,
  });
  expect(zoneCheck(status).ok).toBe(true);
  expect(zoneCheck({ ...status, state: "failed", message: "no route" })).toMatchObject({
    ok: false,
    readyAnyway: true,
    message: "failed: no route",
  });
});
