/**
 * Names outside of `--domain-filter`, and of all zones: their records stay, and the other names of
 * their object are as if it had not listed them.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { rulesByFlags } from "../../../test/support/values/external-dns-flags.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENDPOINT, DNS_PROVIDER } from "../../model/kinds.ts";
import { EXTERNAL_DNS_SOURCES } from "../../sources/external-dns-rows.ts";

const NAMES = ["www", "old", "out", "other"];

test.each<readonly [string, readonly string[]]>([
  ["www.example.net", ["--domain-filter=example.org"]],
  ["out.example.org", ["--domain-filter=example.org", "--exclude-domains=out.example.org"]],
  ["www.example.net", []],
])("%s is outside with %j", async (outside, flags) => {
  const zone = NAMES.flatMap((label) => [
    `${label} 300 A 192.0.2.1`,
    `a-${label} 300 TXT "heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/${label === "other" ? "b" : "a"}"`,
  ]);
  const controllers = ["compound", "service"];
  const world = programWorld({
    ...{ sources: EXTERNAL_DNS_SOURCES, controllers },
    zone: zone.join("\n"),
  });
  const service = (name: string, hostname: string, ip: string) => {
    const annotations = { "external-dns.kubernetes.io/hostname": hostname };
    const spec = { type: "LoadBalancer" };
    world.cluster.apply(
      SERVICE,
      objectOf("v1", "Service", name, { metadata: { annotations }, spec }),
    );
    world.cluster.setStatus(SERVICE, "default", name, { loadBalancer: { ingress: [{ ip }] } });
  };
  const all = `www.example.org,old.example.org,${outside}`;
  service("a", all, "192.0.2.1");
  service("b", "other.example.org", "192.0.2.2");
  const externalDns = rulesByFlags(...flags);
  const running = world.start("direct", { publish: { anyNamespace: true, externalDns } });
  const values = () => NAMES.map((label) => world.values(`${label}.example.org`).join());
  await world.clock.advance(60_000);
  // What differs at the first look waits, and first contact lasts.
  expect(values()).toEqual(["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.1"]);
  service("a", all, "192.0.2.9");
  await world.clock.advance(60_000);
  expect(values()).toEqual(["192.0.2.9", "192.0.2.9", "192.0.2.1", "192.0.2.1"]);
  service("a", `www.example.org,${outside}`, "192.0.2.9");
  await world.clock.advance(60_000);
  expect(values()).toEqual(["192.0.2.9", "", "192.0.2.1", "192.0.2.1"]);
  await running.stop();
});

test("a DNSProvider that no longer serves a name keeps its record, and the object's others follow", async () => {
  const world = programWorld({ controllers: ["compound", "crd"] });
  const running = world.start("direct");
  const provider = (domains: object) => {
    const spec = { type: "memory", secretRef: { name: "s" }, domains };
    world.cluster.apply(
      DNS_PROVIDER,
      objectOf("dns.gardener.cloud/v1alpha1", "DNSProvider", "p", { spec }),
    );
  };
  const endpoint = (...labels: readonly string[]) => {
    const endpoints = labels.map((label) => ({
      ...{ dnsName: `${label}.example.org`, recordType: "A", targets: ["192.0.2.1"] },
    }));
    const object = objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", "e", {
      spec: { endpoints },
    });
    world.cluster.apply(DNS_ENDPOINT, object);
  };
  const published = () =>
    NAMES.filter((label) => world.values(`${label}.example.org`).length > 0).join();
  endpoint("www", "old", "out");
  await world.clock.advance(60_000);
  expect(published()).toBe("www,old,out");
  provider({ include: ["example.org"], exclude: ["out.example.org"] });
  await world.clock.advance(600_000);
  expect(published()).toBe("www,old,out");
  endpoint("www", "out");
  await world.clock.advance(600_000);
  expect(published()).toBe("www,out");
  endpoint("www");
  await world.clock.advance(600_000);
  expect(published()).toBe("www");
  await running.stop();
});
