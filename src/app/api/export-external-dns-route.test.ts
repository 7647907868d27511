import { expect, test } from "vitest";
import { asClients } from "../../../test/support/programs/client-text.ts";
import { instanceOf } from "../../../test/support/programs/idle-instance.ts";
import { nameOf, ORIGIN } from "../../../test/support/values/zone-text.ts";
import type { NamedElsewhere } from "../../controllers/zone-choice/named-elsewhere.ts";
import type { ZoneOwnership } from "../../sync/contract/ownership-rows.ts";
import { OPEN_NAMES_HEADER, UNKNOWN_ZONES_HEADER } from "./exchange.ts";
import { startHttpApp } from "./http-app.ts";

const ZONE: ZoneOwnership = {
  key: { account: "a", zone: "z" },
  zone: { id: "z", name: ORIGIN, providerType: "memory", endpoint: "", view: "" },
  owners: ["me"],
  adoption: "never",
  trouble: null,
  rows: [
    {
      ...{ name: nameOf("*.w"), type: "A", setIdentifier: null, values: ["192.0.2.1"] },
      ...{ whose: "ours", owners: ["me"], resource: null, isPending: false, wantedBy: null },
      ...{ marker: '["heritage=external-dns"]', markerName: nameOf("a-any.w") },
      ...{ isAdoptable: false, permit: null },
    },
  ],
};

const NAMED: NamedElsewhere = {
  ...{ cluster: "c", source: "ingress-dns", kind: "ingress", object: "ingress/default/web" },
  ...{ name: nameOf("*.w"), where: "spec.rules", isRead: true },
};

test("the affixes of the other program decide what it understands", async () => {
  const app = await startHttpApp({
    at: { host: "127.0.0.1", port: 0 },
    token: "t0ken",
    instance: instanceOf({ rights: async () => [ZONE], namedElsewhere: async () => [NAMED] }),
  });
  const ask = (query: string, accept: string) =>
    fetch(`http://127.0.0.1:${app.local.port}/api/v1/export/external-dns?${query}`, {
      headers: { authorization: "Bearer t0ken", accept },
    });
  try {
    const fine = await ask("wildcard=ANY", "text/plain");
    expect(fine.headers.get(OPEN_NAMES_HEADER)).toBe("0");
    expect(fine.headers.get(UNKNOWN_ZONES_HEADER)).toBe("0");
    expect((await asClients(fine, { accept: "text/plain" })).text).toBe(
      "zone example.org: external-dns understands and keeps all 1 record sets\n",
    );
    const open = await ask("", "application/json");
    expect(open.headers.get(OPEN_NAMES_HEADER)).toBe("1");
    expect(await open.json()).toMatchObject({
      program: "external-dns",
      zones: [{ zone: "example.org", remarks: [{ name: "*.w.example.org", type: "A" }] }],
      unknown: [],
    });
  } finally {
    await app.close();
  }
});
