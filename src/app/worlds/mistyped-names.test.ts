/** Mistakes in the names annotation remove no record (Z-5), in the whole program. */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ANNOTATION } from "../../model/kinds.ts";

const NAMES = "dns.gardener.cloud/dnsnames";
const ADDRESS = "192.0.2.1";

type Texts = Readonly<Record<string, string>>;

function world(publishing: "entries" | "direct") {
  const made = programWorld({ publishing });
  const { cluster, clock } = made;
  const loadBalancer = { ingress: [{ ip: ADDRESS }] };
  const service = (annotations: Texts, name = "web") => {
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", name, { metadata: { annotations }, spec }));
    cluster.setStatus(SERVICE, "default", name, { loadBalancer });
  };
  const annotate = (annotations: Texts | null) => {
    const resourceRef = { apiVersion: "v1", kind: "Service", name: "web" };
    const api = "dns.gardener.cloud/v1alpha1";
    const spec = { resourceRef, ...(annotations && { annotations }) };
    cluster.apply(DNS_ANNOTATION, objectOf(api, "DNSAnnotation", "one", { spec }));
  };
  // Beside them the removals are few, and no fuse holds them.
  const others = Array.from({ length: 20 }, (_, index) => `other${index}.example.org`);
  service({ [NAMES]: others.join(",") }, "others");
  const ingress = (hosts: readonly string[], names: string) => {
    const metadata = { annotations: { [NAMES]: names } };
    const spec = { rules: hosts.map((host) => ({ host })) };
    const object = objectOf("networking.k8s.io/v1", "Ingress", "shop", { metadata, spec });
    cluster.apply(INGRESS, object);
    cluster.setStatus(INGRESS, "default", "shop", { loadBalancer });
  };
  const hasEvent = (object: string, text: string) =>
    cluster.events.some((one) => one.object === object && one.note.message.includes(text));
  const published = () =>
    ["a", "b", "c"].filter((label) => made.values(`${label}.example.org`).includes(ADDRESS));
  return {
    ...made,
    service,
    annotate,
    ingress,
    hasEvent,
    published,
    rest: () => clock.advance(60_000),
  };
}

describe.each(["entries", "direct"] as const)("Z-5 with --publish %s", (publishing) => {
  test.each([
    ["*", "mean nothing here"],
    ["all", "mean nothing here"],
    ["", "lists no name"],
    [" , ", "lists no name"],
  ])("'%s' on a Service keeps its records until it is corrected", async (mistake, message) => {
    const { service, hasEvent, published, rest, start, cluster } = world(publishing);
    service({ [NAMES]: "a.example.org,b.example.org" });
    const running = start();
    await rest();
    service({ [NAMES]: mistake });
    await rest();
    expect(published()).toEqual(["a", "b"]);
    expect(hasEvent("service/default/web", message)).toBe(true);
    service({ [NAMES]: "b.example.org,c.example.org" });
    await rest();
    expect(published()).toEqual(["b", "c"]);
    service({ [NAMES]: mistake });
    await rest();
    cluster.delete(SERVICE, "default", "web");
    await rest();
    expect(published()).toEqual([]);
    await running.stop();
  });

  test("* in a DNSAnnotation of a Service is the same mistake", async () => {
    const { service, annotate, published, rest, start } = world(publishing);
    service({});
    annotate({ [NAMES]: "a.example.org" });
    const running = start();
    await rest();
    annotate({ [NAMES]: "*" });
    await rest();
    expect(published()).toEqual(["a"]);
    annotate({ [NAMES]: "b.example.org" });
    await rest();
    expect(published()).toEqual(["b"]);
    await running.stop();
  });

  test("a misspelt key keeps the records until it is corrected, on the Service and elsewhere", async () => {
    const { service, annotate, hasEvent, published, rest, start, cluster } = world(publishing);
    service({ [NAMES]: "a.example.org" });
    annotate({ [NAMES]: "b.example.org" });
    const running = start();
    await rest();
    service({ "dns.gardener.cloud/dnsname": "a.example.org" });
    await rest();
    expect(published()).toEqual(["a", "b"]);
    expect(hasEvent("service/default/web", "no annotation is called so")).toBe(true);
    service({ [NAMES]: "c.example.org" });
    annotate({ "dns.gardener.cloud/dns-names": "b.example.org" });
    await rest();
    expect(published()).toEqual(["a", "b", "c"]);
    cluster.delete(DNS_ANNOTATION, "default", "one");
    await rest();
    expect(published()).toEqual(["c"]);
    await running.stop();
  });

  test("a slip in the prefix of the key keeps the records, and is told once in each process", async () => {
    const { service, annotate, published, rest, start, cluster } = world(publishing);
    const slip = "dns.gardner.cloud/dnsnames";
    service({ [NAMES]: "a.example.org" });
    annotate({ [NAMES]: "b.example.org" });
    const running = start();
    await rest();
    service({ [slip]: "a.example.org" });
    annotate({ [slip]: "b.example.org" });
    for (let hours = 0; hours < 3; hours += 1) await rest();
    expect(published()).toEqual(["a", "b"]);
    const events = cluster.events.filter(({ note }) => note.message.includes(`write ${NAMES}`));
    const objects = new Set(events.map(({ object, count }) => `${object} x${count}`));
    expect([...objects].sort()).toEqual(["dnsannotation/default/one x1", "service/default/web x1"]);
    cluster.delete(DNS_ANNOTATION, "default", "one");
    service({ [NAMES]: "c.example.org" });
    await rest();
    expect(published()).toEqual(["c"]);
    await running.stop();
  });

  test.each([{}, null])(
    "a DNSAnnotation that says nothing any more (%j) keeps its names until it is corrected or deleted",
    async (nothing) => {
      const { service, annotate, hasEvent, published, rest, start, cluster } = world(publishing);
      service({ [NAMES]: "a.example.org" });
      annotate({ [NAMES]: "b.example.org" });
      let running = start();
      await rest();
      annotate(nothing);
      for (const restarts of [false, true]) {
        if (restarts) {
          await running.stop();
          running = start();
        }
        await rest();
        expect(published()).toEqual(["a", "b"]);
        expect(hasEvent("service/default/web", "DNSAnnotation default/one annotates noth")).toBe(
          true,
        );
        expect(hasEvent("dnsannotation/default/one", "spec.annotations is empty")).toBe(true);
      }
      service({ [NAMES]: "a.example.org,c.example.org" });
      await rest();
      expect(published(), "what the object says goes on").toEqual(["a", "b", "c"]);
      annotate({ [NAMES]: "" });
      await rest();
      expect(published(), "an empty list is intent").toEqual(["a", "c"]);
      annotate(nothing);
      service({ [NAMES]: "a.example.org" });
      await rest();
      expect(published()).toEqual(["a", "c"]);
      cluster.delete(DNS_ANNOTATION, "default", "one");
      await rest();
      expect(published()).toEqual(["a"]);
      await running.stop();
    },
  );

  test("a name that an Ingress does not declare keeps its records until it is corrected", async () => {
    const { ingress, hasEvent, published, rest, start, cluster } = world(publishing);
    const hosts = ["a.example.org", "b.example.org", "c.example.org"];
    ingress(hosts, "a.example.org,b.example.org");
    const running = start();
    await rest();
    ingress(hosts, "x.example.org");
    await rest();
    expect(published()).toEqual(["a", "b"]);
    expect(hasEvent("ingress/default/shop", "not declared by ingress")).toBe(true);
    ingress(hosts, "c.example.org,x.example.org");
    await rest();
    expect(published()).toEqual(["a", "b", "c"]);
    ingress(hosts, "c.example.org");
    await rest();
    expect(published()).toEqual(["c"]);
    ingress(hosts, "x.example.org");
    await rest();
    cluster.delete(INGRESS, "default", "shop");
    await rest();
    expect(published()).toEqual([]);
    await running.stop();
  });

  test.each([
    ["dns.gardener.cloud/ttl", "6O", "invalid TTL"],
    ["dns.gardener.cloud/cname-lookup-interval", "soon", "whole number of seconds"],
    ["dns.gardener.cloud/routing-policy", "{", "not JSON"],
    ["dns.gardener.cloud/owner-id", "a b", "no owner id"],
    ["zonekeeper.dev/properties", "{", "JSON"],
  ])(
    "a name that is taken off in one edit with a mistyped %s stays until it is corrected",
    async (key, value, message) => {
      const { service, annotate, hasEvent, published, rest, start } = world(publishing);
      service({ [NAMES]: "a.example.org,b.example.org" });
      let running = start();
      await rest();
      const shows = async (before: readonly string[], after: readonly string[], field: string) => {
        for (const restarts of [false, true]) {
          if (restarts) {
            await running.stop();
            running = start();
          }
          await rest();
          expect(published(), field).toEqual(before);
          expect(hasEvent("service/default/web", message)).toBe(true);
          expect(hasEvent("service/default/web", field)).toBe(true);
        }
        service({ [NAMES]: `${after.join(".example.org,")}.example.org` });
        annotate({ [NAMES]: `${after[0]}.example.org` });
        await rest();
        expect(published()).toEqual(after);
      };
      service({ [NAMES]: "a.example.org,c.example.org", [key]: value });
      await shows(["a", "b"], ["a", "c"], `metadata.annotations[${key}]`);
      service({ [NAMES]: "c.example.org" });
      annotate({ [NAMES]: "b.example.org", [key]: value });
      await shows(["a", "c"], ["b"], `spec.annotations[${key}] of DNSAnnotation default/one`);
      await running.stop();
    },
  );

  test("nor does it go while the object has no address", async () => {
    const { service, published, rest, start, cluster } = world(publishing);
    service({ [NAMES]: "a.example.org,b.example.org" });
    const running = start();
    await rest();
    cluster.setStatus(SERVICE, "default", "web", {});
    await rest();
    const edit = (annotations: Texts) => {
      const metadata = { annotations: { [NAMES]: "a.example.org", ...annotations } };
      const spec = { type: "LoadBalancer" };
      cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata, spec }));
    };
    for (const key of ["ttl", "routing-policy", "targets"]) {
      edit({ [`dns.gardener.cloud/${key}`]: "{" });
      await rest();
      expect(published(), key).toEqual(["a", "b"]);
    }
    edit({});
    await rest();
    expect(published()).toEqual(["a"]);
    await running.stop();
  });

  test.each(["*", "*,x.example.org"])("under %s a host goes with its rule", async (names) => {
    const { ingress, published, rest, start } = world(publishing);
    ingress(["a.example.org", "b.example.org"], names);
    const running = start();
    await rest();
    ingress(["a.example.org"], names);
    await rest();
    expect(published()).toEqual(["a"]);
    await running.stop();
  });
});
