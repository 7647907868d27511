/** Discovery answers `absent` only when it is certain. */
import { describe, expect, test } from "vitest";
import {
  HandlerClient,
  jsonResponse,
  statusResponse,
} from "../../../../../test/support/clients/handler-client.ts";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { DNS_ENTRY } from "../../../../../test/support/values/entry-kind.ts";
import { SERVICE } from "../../objects/kinds.ts";
import { ApiClient } from "../requests/api-client.ts";
import { discoverKind } from "./discovery.ts";

const GROUP = "dns.gardener.cloud";

function server(documents: Readonly<Record<string, unknown>>): ApiClient {
  const http = new HandlerClient(async ({ path }) =>
    path in documents ? jsonResponse(200, documents[path]) : statusResponse(404, "NotFound"),
  );
  return new ApiClient({ http, clock: new VirtualClock() });
}

describe("the aggregated form", () => {
  const version = (name: string, plurals: readonly string[], freshness = "Current") => ({
    version: name,
    freshness,
    resources: plurals.map((resource) => ({ resource })),
  });
  const aggregated = (...versions: readonly unknown[]) => ({
    "/apis": {
      kind: "APIGroupDiscoveryList",
      items: [{ metadata: { name: "other" } }, { metadata: { name: GROUP }, versions }],
    },
  });

  test("served, and absent: the kind, the group", async () => {
    const has = server(aggregated(version("v1alpha1", ["dnsproviders", "dnsentries"])));
    expect(await discoverKind(has, DNS_ENTRY)).toBe("served");
    const lacks = server(aggregated(version("v1alpha1", ["dnsproviders"])));
    expect(await discoverKind(lacks, DNS_ENTRY)).toBe("absent");
    const empty = server({ "/apis": { kind: "APIGroupDiscoveryList", items: [] } });
    expect(await discoverKind(empty, DNS_ENTRY)).toBe("absent");
  });

  test("core kinds are asked for at /api", async () => {
    const core = server({
      "/api": {
        kind: "APIGroupDiscoveryList",
        items: [{ metadata: {}, versions: [version("v1", ["services"])] }],
      },
    });
    expect(await discoverKind(core, SERVICE)).toBe("served");
  });

  test("a group whose own server is down is unknown", async () => {
    const stale = server(aggregated(version("v1alpha1", [], "Stale")));
    await expect(discoverKind(stale, DNS_ENTRY)).rejects.toThrow(/not complete/);
  });

  test("another version only: objects may exist, so it is unknown", async () => {
    const later = server(aggregated(version("v1beta1", ["dnsentries"])));
    await expect(discoverKind(later, DNS_ENTRY)).rejects.toThrow(/not as dns.gardener.cloud/);
  });
});

describe("the plain form", () => {
  const groups = {
    kind: "APIGroupList",
    groups: [{ name: GROUP, versions: [{ version: "v1alpha1" }] }],
  };
  const list = (...names: readonly string[]) => ({
    kind: "APIResourceList",
    resources: names.map((name) => ({ name })),
  });

  test("served and absent", async () => {
    const path = `/apis/${GROUP}/v1alpha1`;
    const has = server({ "/apis": groups, [path]: list("dnsentries", "dnsentries/status") });
    expect(await discoverKind(has, DNS_ENTRY)).toBe("served");
    const lacks = server({ "/apis": groups, [path]: list("dnsproviders") });
    expect(await discoverKind(lacks, DNS_ENTRY)).toBe("absent");
    const none = server({ "/apis": { kind: "APIGroupList", groups: [] } });
    expect(await discoverKind(none, DNS_ENTRY)).toBe("absent");
    const core = server({
      "/api": { kind: "APIVersions", versions: ["v1"] },
      "/api/v1": list("pods"),
    });
    expect(await discoverKind(core, SERVICE)).toBe("absent");
  });

  test.each([
    ["the group's own document is missing", { "/apis": groups }],
    ["it has no list", { "/apis": groups, [`/apis/${GROUP}/v1alpha1`]: {} }],
    ["the root is something else", { "/apis": { kind: "Status" } }],
    ["the root is no object", { "/apis": [] }],
    ["there is no root", {}],
    [
      "a version without a name",
      { "/apis": { kind: "APIGroupList", groups: [{ name: GROUP, versions: [{}] }] } },
    ],
  ])("unknown: %s", async (_name, documents) => {
    await expect(discoverKind(server(documents), DNS_ENTRY)).rejects.toThrow();
  });
});
