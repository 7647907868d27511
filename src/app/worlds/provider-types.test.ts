/** `--provider-types`: two processes in one class, each for DNSProviders of its types. */
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_OWNER, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const MEMORY = { owner: "one", providerTypes: ["memory"] };
const SECOND = { owner: "two", providerTypes: ["second"] };

/** The DNSProviders are p (memory, example.org) and q (second, example.com). */
function world() {
  const made = programWorld({ controllers: ["compound"] });
  const { cluster, clock } = made;
  const provider = (name: string, type: string, annotations: object = {}) => {
    cluster.apply(SECRET, objectOf("v1", "Secret", name, {}));
    const spec = { type, secretRef: { name } };
    const metadata = { annotations };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", name, { metadata, spec }));
  };
  provider("q", "second");
  const entry = (name: string, dnsName: string, target = "192.0.2.1") => {
    const spec = { dnsName, targets: [target] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { spec }));
  };
  const now = (kind: KindRef, name: string): KubeObject | null =>
    cluster.now(kind, kind === DNS_OWNER ? "" : "default", name);
  const status = (name: string) => now(DNS_ENTRY, name)?.["status"];
  const versions = () =>
    [DNS_ENTRY, DNS_PROVIDER, SECRET, DNS_OWNER].flatMap((kind) => {
      const list = cluster.list(kind);
      const all = list.state === "value" ? list.value : [];
      return all.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
    });
  const rest = () => clock.advance(60_000);
  return { ...made, provider, entry, now, status, versions, rest };
}

test("each serves what is of its types, and then both are at rest", async () => {
  const { start, provider, entry, rest, values, now, status, versions, cluster } = world();
  const metadata = { name: "shop" };
  cluster.apply(DNS_OWNER, { apiVersion: API, kind: "DNSOwner", metadata, spec: { ownerId: "x" } });
  provider("q", "second", { "dns.gardener.cloud/owner-id": "x" });
  entry("org", "www.example.org");
  entry("com", "www.example.com");
  const both = [start(undefined, MEMORY), start(undefined, SECOND)];
  await rest();
  for (const [name, type] of [
    ["org", "memory"],
    ["com", "second"],
  ] as const)
    expect(status(name)).toMatchObject({ state: "Ready", providerType: type });
  for (const name of ["p", "q"])
    expect(now(DNS_PROVIDER, name)?.["status"]).toMatchObject({ state: "Ready" });
  expect([values("www.example.org"), values("www.example.com")]).toEqual([
    ["192.0.2.1"],
    ["192.0.2.1"],
  ]);
  // Both count the entry that has the id of its DNSProvider.
  expect(now(DNS_OWNER, "shop")?.["status"]).toMatchObject({ entries: { amount: 1 } });
  const before = versions();
  await rest();
  expect(versions()).toEqual(before);
  for (const one of both) await one.stop();
});

test("DNSProviders of other types, their Secrets and entries get nothing", async () => {
  const { start, entry, rest, now, status, values, cluster } = world();
  entry("com", "www.example.com");
  entry("lost", "www.example.net");
  const one = start(undefined, MEMORY);
  await rest();
  for (const [kind, name] of [
    [DNS_PROVIDER, "q"],
    [SECRET, "q"],
    [DNS_ENTRY, "com"],
    [DNS_ENTRY, "lost"],
  ] as const) {
    expect(now(kind, name)?.["status"]).toBeUndefined();
    expect(now(kind, name)?.metadata.finalizers).toBeUndefined();
  }
  const two = start(undefined, SECOND);
  await rest();
  await two.stop();
  // The other process is away: its entry waits for it.
  cluster.delete(DNS_ENTRY, "default", "com");
  await rest();
  expect(now(DNS_ENTRY, "com")?.metadata.finalizers).toHaveLength(1);
  expect(status("com")).toMatchObject({ state: "Ready" });
  const again = start(undefined, SECOND);
  await rest();
  expect([now(DNS_ENTRY, "com"), values("www.example.com")]).toEqual([null, []]);
  await again.stop();
  await one.stop();
});

test("a mistake is told without a DNSProvider; an entry of ours stays ours without its own", async () => {
  const { start, entry, rest, status, versions, cluster } = world();
  entry("bad", "www.example.org", "");
  entry("org", "web.example.org");
  const both = [start(undefined, MEMORY), start(undefined, SECOND)];
  await rest();
  expect(status("bad")).toMatchObject({ state: "Invalid" });
  cluster.delete(DNS_PROVIDER, "default", "p");
  await rest();
  entry("org", "web.example.org", "192.0.2.2");
  await rest();
  expect(status("org")).toMatchObject({
    ...{ state: "Stale", providerType: "memory", observedGeneration: 2 },
  });
  const before = versions();
  await rest();
  expect(versions()).toEqual(before);
  for (const one of both) await one.stop();
});

test("a DNSProvider that may serve any name and cannot be used is told where nobody else says it", async () => {
  const { start, entry, rest, status, versions, cluster } = world();
  cluster.delete(SECRET, "default", "s");
  entry("com", "www.example.com");
  const both = [start(undefined, MEMORY), start(undefined, SECOND)];
  await rest();
  expect(status("com")).toMatchObject({ state: "Ready" });
  cluster.delete(DNS_PROVIDER, "default", "q");
  await rest();
  entry("com", "www.example.com", "192.0.2.2");
  entry("new", "new.example.com");
  await rest();
  const message = (text: string) => ({ message: expect.stringContaining(text) });
  expect(status("com")).toMatchObject({ state: "Stale", ...message("No responsible provider") });
  expect(status("new")).toMatchObject({ state: "Error", ...message("secret default/s not found") });
  const before = versions();
  await rest();
  expect(versions()).toEqual(before);
  for (const one of both) await one.stop();
});

test("a DNSProvider that changes its type goes to the other process, and keeps its finalizers", async () => {
  const { start, provider, rest, now } = world();
  const both = [start(undefined, MEMORY), start(undefined, SECOND)];
  await rest();
  provider("q", "memory");
  await rest();
  expect(now(DNS_PROVIDER, "q")?.["status"]).toMatchObject({
    domains: { included: ["example.org"] },
  });
  for (const kind of [DNS_PROVIDER, SECRET])
    expect(now(kind, "q")?.metadata.finalizers).toHaveLength(1);
  for (const one of both) await one.stop();
});

test("a name that both have zones for stays with the process that has it", async () => {
  const { start, entry, rest, status, versions, cluster, secondZone } = world();
  entry("org", "www.example.org");
  const one = start(undefined, MEMORY);
  await rest();
  secondZone("example.org");
  const two = start(undefined, SECOND);
  await rest();
  expect(status("org")).toMatchObject({ state: "Ready", providerType: "memory" });
  const before = versions();
  await rest();
  expect(versions()).toEqual(before);
  cluster.delete(DNS_PROVIDER, "default", "p");
  await rest();
  expect(status("org")).toMatchObject({ state: "Ready", providerType: "second" });
  await one.stop();
  await two.stop();
});
