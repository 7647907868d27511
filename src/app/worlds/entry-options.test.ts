/** `--exclude-domains`, `--exclude-target-net`, `--blocked-zone` and `--target-namespace`. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { parseAddressNet } from "../../model/addresses.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

type World = ReturnType<typeof programWorld>;

function service({ cluster }: World, names: string): void {
  const metadata = { annotations: { "dns.gardener.cloud/dnsnames": names } };
  const spec = { type: "LoadBalancer" };
  cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata, spec }));
  const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
  cluster.setStatus(SERVICE, "default", "web", status);
}

const excludedDomains = ["secret.example.org", "*.intern.example.org"].map(trustedDnsName);
const NAMES =
  "www.example.org,secret.example.org,a.secret.example.org,a.intern.example.org,b.a.intern.example.org,intern.example.org";

test.each(["entries", "direct"] as const)(
  "excluded names get no record: %s",
  async (publishing) => {
    const world = programWorld({ publishing, excludedDomains });
    const running = world.start();
    await world.clock.advance(1000);
    service(world, NAMES);
    await world.clock.advance(10_000);
    const published = NAMES.split(",").filter((name) => world.values(name).length > 0);
    expect(published).toEqual([
      "www.example.org",
      "a.secret.example.org",
      "b.a.intern.example.org",
      "intern.example.org",
    ]);
    await running.stop();
  },
);

test.each(["entries", "direct"] as const)(
  "an address in an excluded network is not published, and takes nothing away: %s",
  async (publishing) => {
    const nets = parseAddressNet("192.0.2.0/26");
    const excludedTargetNets = nets.ok ? [nets.value] : [];
    const world = programWorld({ publishing });
    const running = world.start(undefined, { publish: { excludedTargetNets } });
    await world.clock.advance(1000);
    service(world, "www.example.org");
    await world.clock.advance(10_000);
    expect(world.values("www.example.org")).toEqual([]);
    const report = (ip: string): void => {
      world.cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress: [{ ip }] } });
    };
    report("192.0.2.64");
    await world.clock.advance(10_000);
    expect(world.values("www.example.org")).toEqual(["192.0.2.64"]);
    report("192.0.2.1");
    await world.clock.advance(10_000);
    expect(world.values("www.example.org")).toEqual(["192.0.2.64"]);
    await running.stop();
  },
);

// The second one is written with a full-width letter: names may be in their own letters.
test.each(["example.org", "\uff45xample.org"])(
  "a blocked zone is served by no DNSProvider, and its records stay: %s",
  async (zone) => {
    const world = programWorld();
    const before = world.start();
    await world.clock.advance(1000);
    service(world, "www.example.org");
    await world.clock.advance(10_000);
    await before.stop();
    const running = world.start(null, { blockedZones: [zone] });
    await world.clock.advance(1000);
    service(world, "other.example.org");
    await world.clock.advance(10_000);
    const [provider] = world.cluster.all(DNS_PROVIDER);
    world.cluster.delete(SERVICE, "default", "web");
    await world.clock.advance(10_000);
    const deleted = world.cluster.all(DNS_ENTRY).filter((it) => it.metadata.deletionTimestamp);
    const why = expect.stringMatching(/blocked by --blocked-zone.*release/);
    expect(deleted.map((it) => it["status"])).toMatchObject([{ state: "Deleting", message: why }]);
    const message = expect.stringMatching(
      /matches zone filter; --blocked-zone blocks example.org$/,
    );
    expect(provider?.["status"]).toMatchObject({ state: "Error", message });
    expect(world.values("www.example.org")).toEqual(["192.0.2.1"]);
    expect(world.values("other.example.org")).toEqual([]);
    await running.stop();
  },
);

test("entries are generated in the one target namespace", async () => {
  const world = programWorld({ targetNamespace: "dns" });
  const provider = { spec: { type: "memory", secretRef: { name: "s" } } };
  const inDns = { metadata: { namespace: "dns" } };
  world.cluster.apply(SECRET, objectOf("v1", "Secret", "s", inDns));
  world.cluster.apply(
    DNS_PROVIDER,
    objectOf("dns.gardener.cloud/v1alpha1", "DNSProvider", "p", { ...provider, ...inDns }),
  );
  const running = world.start();
  await world.clock.advance(1000);
  service(world, "www.example.org");
  await world.clock.advance(10_000);
  const entries = world.cluster.all(DNS_ENTRY);
  expect(entries.map(({ metadata }) => metadata.namespace)).toEqual(["dns"]);
  expect(world.values("www.example.org")).toEqual(["192.0.2.1"]);
  world.cluster.delete(SERVICE, "default", "web");
  await world.clock.advance(10_000);
  expect([world.cluster.all(DNS_ENTRY), world.values("www.example.org")]).toEqual([[], []]);
  await running.stop();
});
