/**
 * The stories of Gardener's objects as kubectl 1.20 and 1.32 tell them, on both API servers, with a
 * zone of BIND and dig: a DNSProvider, a DNSEntry, a DNSOwner and a DNSAnnotation from their first
 * to their last day.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_SERVERS, type ApiServerEntry } from "../support/api-servers/index.ts";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { KUBECTL_VERSIONS, type KubectlVersion } from "../support/clients/kubectl.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import {
  entry,
  object,
  provider,
  secret,
  serverKeys,
  together,
} from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

for (const version of KUBECTL_VERSIONS)
  for (const api of API_SERVERS) {
    const needs = [`kubectl-${version}`, "bind", "dig", ...api.needs] as const;
    describeReal(`Gardener's objects by kubectl ${version} with ${api.name}`, needs, () =>
      story(version, api),
    );
  }

/** The tests are one session in order. */
function story(version: KubectlVersion, api: ApiServerEntry): void {
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open(api.start, version);
    user = session.user;
    await session.run("group-one");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  /** The cells of one object's row, and the columns. */
  const table = async (...get: readonly string[]): Promise<readonly (readonly string[])[]> => {
    const text = await user.kubectl.ok(["get", ...get]);
    return text
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/ {2,}/));
  };
  const service = (name: string): Promise<string> =>
    user.apply(
      object("Service", name, {
        spec: { type: "LoadBalancer", ports: [{ port: 80, protocol: "TCP", targetPort: 8080 }] },
      }),
    );
  const annotation = (name: string): Promise<string> =>
    user.apply(
      object("DNSAnnotation", name, {
        spec: {
          resourceRef: { apiVersion: "v1", kind: "Service", name },
          annotations: { "dns.gardener.cloud/dnsnames": zone.name(name) },
        },
      }),
    );

  test("a DNSProvider without its Secret, with a wrong key, and as it should be", async () => {
    await user.apply(provider("net"));
    await user.becomes("dnspr", "net", "Error", /secret default\/net not found/);
    const keys = serverKeys(zone.server);
    const { TSIGSecret: _, ...incomplete } = keys;
    await user.apply(secret("net", incomplete));
    await user.becomes("dnspr", "net", "Error", /TSIGSecret/);
    await user.apply(secret("net", keys));
    await user.becomes("dnspr", "net", "Ready");
    const [columns, row] = await table("dnspr", "net", "-o", "wide");
    expect(columns).toEqual(expect.arrayContaining(["NAME", "TYPE", "STATUS", "AGE"]));
    expect(row?.slice(0, 3)).toEqual(["net", "rfc2136", "Ready"]);
    expect(row?.join(" ")).toContain('["example.net"]');
  });

  test("a DNSEntry is published, changed, wrong, mended and deleted", async () => {
    const www = (...targets: readonly string[]) =>
      user.apply(entry("www", zone.name("www"), { targets, ttl: 60 }));
    await www("192.0.2.1");
    await zone.becomes("www", "A", "192.0.2.1");
    await user.becomes("dnse", "www", "Ready", /dns entry active/);
    const [columns, row] = await table("dnse", "www");
    expect(columns).toEqual(["NAME", "DNS", "TYPE", "PROVIDER", "STATUS", "AGE"]);
    expect(row?.slice(1, 5)).toEqual(["www.example.net", "rfc2136", "default/net", "Ready"]);
    const [, wide] = await table("dnsentry", "www", "-o", "wide");
    expect(wide).toEqual(expect.arrayContaining(['["192.0.2.1"]', "60", "dns entry active"]));
    await www("192.0.2.2", "2001:db8::2");
    await zone.becomes("www", "A", "192.0.2.2");
    await zone.becomes("www", "AAAA", "2001:db8::2");
    await www("192.0.2.2", "www.example.com");
    await user.becomes("dnse", "www", "Stale");
    expect(await zone.answers("www")).toEqual(["192.0.2.2"]);
    await www("192.0.2.3");
    await zone.becomes("www", "A", "192.0.2.3");
    await zone.becomes("www", "AAAA");
    await user.becomes("dnse", "www", "Ready");
    await user.delete("dnse", "www");
    await zone.becomes("www", "A");
  });

  test("a DNSOwner switches its entries on and off; off leaves their records", async () => {
    await user.apply(entry("shop", zone.name("shop"), { targets: ["192.0.2.4"], ownerId: "shop" }));
    await user.becomes("dnse", "shop", "Stale", /shop/);
    const owner = (active: boolean) =>
      user.apply(
        object("DNSOwner", "shop", {
          metadata: { namespace: undefined },
          spec: { ownerId: "shop", active },
        }),
      );
    await owner(true);
    await user.becomes("dnse", "shop", "Ready");
    await zone.becomes("shop", "A", "192.0.2.4");
    const [columns, row] = await table("dnso", "shop");
    expect(columns).toEqual(expect.arrayContaining(["OWNERID", "ACTIVE", "USAGES"]));
    expect(row?.slice(0, 3)).toEqual(["shop", "shop", "true"]);
    await owner(false);
    await user.becomes("dnse", "shop", "Stale");
    expect(await zone.answers("shop")).toEqual(["192.0.2.4"]);
    await owner(true);
    await user.becomes("dnse", "shop", "Ready");
    await user.delete("dnse", "shop");
    await zone.becomes("shop", "A");
  });

  test("a DNSAnnotation before its Service, and one after it", async () => {
    await annotation("before");
    await service("before");
    await user.balance("svc", "before", "192.0.2.5");
    await zone.becomes("before", "A", "192.0.2.5");
    await service("after");
    await user.balance("svc", "after", "192.0.2.6");
    await annotation("after");
    await zone.becomes("after", "A", "192.0.2.6");
    const [columns, row] = await table("dnsa", "after");
    expect(columns?.slice(0, 3)).toEqual(["NAME", "REFKIND", "REFNAME"]);
    expect(row?.slice(0, 3)).toEqual(["after", "Service", "after"]);
    await user.delete("dnsa", "after");
    await zone.becomes("after", "A");
    await user.delete("svc", "before");
    await zone.becomes("before", "A");
  });

  test("DNSProvider and Secret are deleted in one command, in either order: the records stay", async () => {
    const target = "192.0.2.7";
    await user.apply(entry("kept", zone.name("kept"), { targets: [target] }));
    await user.becomes("dnse", "kept", "Ready");
    for (const both of [
      ["dnspr/net", "secret/net"],
      ["secret/net", "dnspr/net"],
    ]) {
      await user.kubectl.ok(["delete", ...both, "--timeout=60s"]);
      await user.becomes("dnse", "kept", "Stale");
      expect(await zone.answers("kept")).toEqual([target]);
      await user.apply(together(secret("net", serverKeys(zone.server)), provider("net")));
      await user.becomes("dnse", "kept", "Ready");
      expect(await zone.answers("kept")).toEqual([target]);
    }
    await user.delete("dnse", "kept");
    await zone.becomes("kept", "A");
  });

  test("the DNSProvider goes, and then its Secret", async () => {
    await user.delete("dnspr", "net");
    await user.delete("secret", "net");
    const data = (await zone.content()).filter((line) => / A /.test(line));
    expect(data).toEqual(["ns1.example.net. A 127.0.0.1"]);
  });
}
