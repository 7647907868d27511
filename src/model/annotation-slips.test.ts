import { describe, expect, test } from "vitest";
import { remarksOn } from "./annotation-remarks.ts";
import { slipOf } from "./annotation-slips.ts";

const NAMES = "dns.gardener.cloud/dnsnames";

describe("a slip of the pen is told with the key that was meant", () => {
  test.each([
    ["dns.gardener.cloud/dnsname", NAMES],
    ["dns.gardner.cloud/dnsnames", NAMES],
    ["dns.gardener.could/dnsnames", NAMES],
    ["dsn.gardener.cloud/dnsname", NAMES],
    ["dns.gardener.clud/ttl", "dns.gardener.cloud/ttl"],
    ["zonekeper.dev/paused", "zonekeeper.dev/paused"],
    ["externaldns.kubernetes.io/hostname", "external-dns.kubernetes.io/hostname"],
    [
      "external-dns.alpha.kubernets.io/hostname",
      "external-dns.alpha.kubernetes.io/hostname for external-dns, dns.gardener.cloud/dnsnames for Zonekeeper",
    ],
    [
      "external-dns.alpha.kuberntes.io/target",
      "external-dns.alpha.kubernetes.io/target for external-dns",
    ],
  ])("%s", (key, meant) => {
    expect(slipOf(key)?.message).toContain(`no annotation is called so: write ${meant}`);
    expect(slipOf(key)?.message).toMatch(/, or remove it$/);
  });
});

test.each([
  NAMES,
  "dns.gardener.cloud/class",
  "cert.gardener.cloud/class",
  "cert.gardener.cloud/dnsnames",
  "core.gardener.cloud/ignore",
  "shoot.gardener.cloud/ignore",
  "dnsman.gardener.cloud/ttl",
  "gardener.cloud/operation",
  "resources.gardener.cloud/ignore",
  "service.beta.kubernetes.io/aws-load-balancer-type",
  "service.alpha.kubernetes.io/tolerate-unready-endpoints",
  "external-dns.kubernetes.io/hostname",
  "external-dns.alpha.kubernetes.io/hostname",
  "external-dns.alpha.kubernetes.io/anything",
  "external-dns.io/hostname",
  "external-secrets.io/target",
  "kubernetes.io/ingress.class",
  "nginx.ingress.kubernetes.io/alias",
  "kubectl.kubernetes.io/last-applied-configuration",
  "loadbalancer.openstack.org/load-balancer-address",
  "meta.helm.sh/release-name",
  "dns.gardner.cloud/something-else-altogether",
  "dnsnames",
  "ttl",
  "/ttl",
])("%s is no slip", (key) => {
  expect(slipOf(key)).toBeNull();
});

describe("names for external-dns on an object that is annotated for us", () => {
  const HOSTNAME = "external-dns.alpha.kubernetes.io/hostname";
  const remarks = (annotations: Readonly<Record<string, string>>, kind = "Service") =>
    remarksOn({ kind, metadata: { name: "web", annotations } }).map(
      ({ key, holds, message }) => `${key} ${holds} ${message}`,
    );
  const names = { [HOSTNAME]: "www.example.org" };

  test("are a remark", () => {
    expect(remarks({ ...names, "dns.gardener.cloud/ttl": "60" })).toEqual([
      `${HOSTNAME} false names for external-dns are not read here: write ${NAMES}`,
    ]);
  });

  test.each<[Readonly<Record<string, string>>, string]>([
    [names, "external-dns may run beside us"],
    [{ ...names, [NAMES]: "www.example.org", "dns.gardener.cloud/ttl": "60" }, "we have the names"],
    [{ ...names, "zonekeeper.dev/status": "{}" }, "we wrote it"],
    [{ [HOSTNAME]: " ", "dns.gardener.cloud/ttl": "60" }, "there is none"],
    [{ ...names, "dns.gardener.cloud/ttl": "" }, "nothing is said to us"],
  ])("%o are not: %s", (annotations) => {
    expect(remarks(annotations)).toEqual([]);
  });

  test("are not on a kind that has its names elsewhere", () => {
    const routing = { "dns.gardener.cloud/owner-id": "shop" };
    expect(remarks({ ...names, ...routing }, "DNSEndpoint")).toEqual([]);
  });
});
