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

describe("discovery", () => {
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
    const served = server({
      "/api": { kind: "APIVersions", versions: ["v1"] },
      "/api/v1": list("services"),
    });
    expect(await discoverKind(served, SERVICE)).toBe("served");
  });

  test("a group whose own server is down is unknown", async () => {
    const http = new HandlerClient(async ({ path }) =>
      path === "/apis" ? jsonResponse(200, groups) : statusResponse(503, "ServiceUnavailable"),
    );
    const down = new ApiClient({ http, clock: new VirtualClock() });
    await expect(discoverKind(down, DNS_ENTRY)).rejects.toThrow(/503/);
  });

  test("another version only: objects may exist, so it is unknown", async () => {
    const later = server({
      "/apis": {
        kind: "APIGroupList",
        groups: [{ name: GROUP, versions: [{ version: "v1beta1" }] }],
      },
      [`/apis/${GROUP}/v1beta1`]: list("dnsentries"),
    });
    await expect(discoverKind(later, DNS_ENTRY)).rejects.toThrow(/not as dns.gardener.cloud/);
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
