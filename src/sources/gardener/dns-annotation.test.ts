import { describe, expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { PROPERTIES_ANNOTATION } from "../../model/annotation-keys.ts";
import { DNS_ANNOTATION } from "../../model/kinds.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { openSource } from "../index.ts";

const options = { dnsClasses: DEFAULT_CLASSES, toAscii: null, targetNamespace: null };
const NAMES = "dns.gardener.cloud/dnsnames";
const TTL = "dns.gardener.cloud/ttl";

type Texts = Readonly<Record<string, string>>;

const service = (annotations?: Texts): KubeObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace: "shop", ...(annotations && { annotations }) },
  spec: { type: "LoadBalancer" },
  status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
});

function stage(object = service()) {
  let day = "1";
  const cluster = new MemoryCluster("c1", () => Date.parse(`2026-01-0${day}T00:00:00Z`));
  const source = openSource("service-dns", options);
  const annotate = (
    name: string,
    annotations: Texts,
    { at = "1", ref = {}, namespace = "shop" } = {},
  ) => {
    day = at;
    cluster.apply(DNS_ANNOTATION, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSAnnotation",
      metadata: { name, namespace },
      spec: {
        resourceRef: { apiVersion: "v1", kind: "Service", name: "web", ...ref },
        annotations,
      },
    });
  };
  const found = () => {
    const { items, waiting, problems, complete } = source.endpoints(object, cluster);
    return {
      names: items.map(({ name, ttlSeconds }) => `${name} ${ttlSeconds}`).sort(),
      waits: waiting.map(({ name, reason }) => `${name} ${reason}`),
      problems: problems.map(({ subject, field, message }) => `${subject} ${field}: ${message}`),
      complete,
    };
  };
  const items = () => source.endpoints(object, cluster).items;
  const owners = () => items().map(({ owner }) => owner);
  const properties = () => items().map((item) => item.properties);
  return { cluster, annotate, found, owners, properties };
}

const EMPTY = { names: [], waits: [], problems: [], complete: true };

describe("DNSAnnotations of an object", () => {
  test("publish a Service that has no annotation, until they go", () => {
    const { cluster, annotate, found } = stage();
    expect(found()).toEqual(EMPTY);
    annotate("a", { [NAMES]: "www.example.org", [TTL]: "60" });
    expect(found()).toEqual({ ...EMPTY, names: ["www.example.org 60"] });
    cluster.delete(DNS_ANNOTATION, "shop", "a");
    expect(found()).toEqual(EMPTY);
  });

  test("set the properties of its records", () => {
    const { annotate, properties } = stage(service({ [NAMES]: "a.example.org" }));
    annotate("a", { [PROPERTIES_ANNOTATION]: '{"proxied":"true"}' });
    expect(properties()).toEqual([{ proxied: "true" }]);
  });

  test("names are the union; another key is the object's, else the oldest one's, and losers get an Event", () => {
    const own = stage(service({ [NAMES]: "a.example.org", [TTL]: "30" }));
    own.annotate("one", { [NAMES]: "b.example.org,a.example.org", [TTL]: "60" });
    expect(own.found()).toMatchObject({
      names: ["a.example.org 30", "b.example.org 30"],
      problems: [expect.stringMatching(/^DNSAnnotation shop\/one .*ttl\]: .*sets it/)],
    });
    const { annotate, found } = stage();
    annotate("a-young", { [NAMES]: "a.example.org", [TTL]: "60" }, { at: "2" });
    annotate("b-old", { [NAMES]: "b.example.org", [TTL]: "90" }, { at: "1" });
    expect(found()).toMatchObject({
      names: ["a.example.org 90", "b.example.org 90"],
      problems: [expect.stringMatching(/^DNSAnnotation shop\/a-young .*ttl/)],
    });
  });

  test.each([
    ["another name", { ref: { name: "other" } }],
    ["another kind", { ref: { kind: "Ingress" } }],
    ["another group", { ref: { apiVersion: "x.example/v1" } }],
    ["another namespace", { namespace: "stranger", ref: { namespace: "shop" } }],
    ["a namespace that is not its own", { ref: { namespace: "stranger" } }],
  ])("a reference with %s has no effect", (_, where) => {
    const { annotate, found } = stage();
    annotate("a", { [NAMES]: "www.example.org" }, where);
    expect(found()).toEqual(EMPTY);
  });

  test("a key that only the object's author may set is told, and has no effect", () => {
    const { annotate, found } = stage();
    annotate("a", { [NAMES]: "www.example.org", "dns.gardener.cloud/class": "other" });
    expect(found()).toMatchObject({
      names: ["www.example.org null"],
      problems: [expect.stringMatching(/class\]: .*on the object itself/)],
    });
  });

  test("the class that the object has anyway needs no word", () => {
    const { annotate, found } = stage();
    annotate("a", { [NAMES]: "www.example.org", "dns.gardener.cloud/class": "gardendns" });
    expect(found()).toEqual({ ...EMPTY, names: ["www.example.org null"] });
  });

  test("owner-id says whose the records are, unless the object does", () => {
    const OWNER = "dns.gardener.cloud/owner-id";
    const { annotate, owners } = stage();
    annotate("a", { [NAMES]: "www.example.org", [OWNER]: "second" });
    expect(owners()).toEqual(["second"]);
    const own = stage(service({ [NAMES]: "www.example.org", [OWNER]: "first" }));
    own.annotate("a", { [OWNER]: "second" });
    expect(own.owners()).toEqual(["first"]);
  });

  test.each(["syncing", "forbidden"] as const)("Z-1 while they are %s nothing goes", (state) => {
    const { cluster, found } = stage(service({ [NAMES]: "a.example.org" }));
    cluster.setKindState(DNS_ANNOTATION, state);
    expect(found()).toMatchObject({
      names: [],
      waits: ["a.example.org SourceIncomplete"],
      complete: false,
    });
  });

  test("where their kind is not served there are none, for certain", () => {
    const { cluster, found } = stage(service({ [NAMES]: "a.example.org" }));
    cluster.setKindState(DNS_ANNOTATION, "absent");
    expect(found()).toEqual({ ...EMPTY, names: ["a.example.org null"] });
  });
});
