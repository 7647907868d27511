/** The annotation `release`, set on an object and taken back there, by each way to a zone. */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { RELEASE_ANNOTATION } from "../../model/annotation-keys.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

type Texts = Readonly<Record<string, string>>;

const WAYS = ["service", "ingress", "dnsentry"] as const;
const HOST = "www.example.org";
const loadBalancer = { ingress: [{ ip: "192.0.2.1" }] };

function world(way: (typeof WAYS)[number]) {
  const source = { service: "service-dns", ingress: "ingress-dns", dnsentry: "dnsentry-source" };
  const made = programWorld({ controllers: ["compound", source[way]] });
  const { cluster } = made;
  const put = (more: Texts): void => {
    const metadata = { annotations: { "dns.gardener.cloud/dnsnames": HOST, ...more } };
    if (way === "service") {
      const spec = { type: "LoadBalancer" };
      cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata, spec }));
      cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
      return;
    }
    if (way === "ingress") {
      const spec = { rules: [{ host: HOST }] };
      const ingress = objectOf("networking.k8s.io/v1", "Ingress", "web", { metadata, spec });
      cluster.apply(INGRESS, ingress);
      cluster.setStatus(INGRESS, "default", "web", { loadBalancer });
      return;
    }
    const annotations = { [CLASS_ANNOTATION]: "intern", ...more };
    const spec = { dnsName: HOST, targets: ["192.0.2.1"] };
    const api = "dns.gardener.cloud/v1alpha1";
    cluster.apply(DNS_ENTRY, objectOf(api, "DNSEntry", "web", { metadata: { annotations }, spec }));
  };
  const generated = () => cluster.all(DNS_ENTRY).find(({ metadata }) => metadata.name !== "web");
  const release = () => generated()?.metadata.annotations?.[RELEASE_ANNOTATION];
  const message = () => String(fieldsOf(generated()?.["status"])["message"]);
  const options =
    way === "dnsentry" ? { sourceClasses: ["intern"] as const, targetClass: "gardendns" } : {};
  const start = () => made.start(null, options);
  const rest = () => made.clock.advance(60_000);
  return { ...made, put, generated, release, message, start, rest };
}

test.each(WAYS)("a %s: it goes from the generated entry with the object's", async (way) => {
  const { put, release, message, start, rest, values } = world(way);
  put({});
  const running = start();
  await rest();
  put({ [RELEASE_ANNOTATION]: "true" });
  await rest();
  expect([release(), values(HOST), values(`a-${HOST}`)]).toEqual(["by-source", ["192.0.2.1"], []]);
  expect(message()).toContain("has released its records");
  put({});
  await rest();
  expect(release()).toBeUndefined();
  expect(message()).not.toContain("release");
  await running.stop();
});

test("what a person wrote on the entry alone stays, whatever its object says", async () => {
  const { put, release, message, generated, start, rest, cluster } = world("service");
  put({});
  const running = start();
  await rest();
  const { name = "" } = generated()?.metadata ?? {};
  const annotations = { [RELEASE_ANNOTATION]: "true" };
  await cluster.patch(
    { kind: DNS_ENTRY, namespace: "default", name },
    { metadata: { annotations } },
  );
  for (const asked of [{}, annotations, {}]) {
    put(asked);
    await rest();
    expect(release()).toBe("true");
    expect(message()).toContain("has released its records");
  }
  await running.stop();
});

test("under two prefixes it is one; the deletion of the object removes nothing then", async () => {
  const { put, message, start, rest, values, cluster } = world("service");
  put({});
  const running = start();
  await rest();
  put({ [RELEASE_ANNOTATION]: "true", "external-dns.alpha.kubernetes.io/release": "true" });
  await rest();
  expect(message()).toContain("has released its records");
  cluster.delete(SERVICE, "default", "web");
  await rest();
  expect([values(HOST), values(`a-${HOST}`), cluster.all(DNS_ENTRY)]).toEqual([
    ["192.0.2.1"],
    [],
    [],
  ]);
  await running.stop();
});
