import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { describe, expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { PROPERTIES_ANNOTATION } from "../../model/annotation-keys.ts";
import { DNS_ANNOTATION } from "../../model/kinds.ts";
import { openSource } from "../index.ts";

const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };
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

  test("Z-5: * means nothing on a Service there either, and nothing goes", () => {
    const { annotate, found } = stage(service({ [NAMES]: "a.example.org" }));
    annotate("one", { [NAMES]: "*" });
    expect(found()).toMatchObject({ names: ["a.example.org null"], complete: false });
    expect(found().problems).toEqual([expect.stringContaining("mean nothing here")]);
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
    ["another kind", { ref: { apiVersion: "networking.k8s.io/v1", kind: "Ingress" } }],
    ["another namespace", { namespace: "stranger", ref: { namespace: "shop" } }],
    ["a kind that there is not, and another name", { ref: { kind: "Servce", name: "other" } }],
    [
      "a name of an Ingress that cannot be",
      { ref: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "w b" } },
    ],
  ])("a reference with %s has no effect", (_, where) => {
    const { annotate, found } = stage();
    annotate("a", { [NAMES]: "www.example.org" }, where);
    expect(found()).toEqual(EMPTY);
  });

  describe.each([
    ["a kind that there is not", { kind: "Servce" }],
    ["no kind", { kind: "" }],
    ["another group", { apiVersion: "x.example/v1" }],
    ["a namespace that is not its own", { namespace: "stranger" }],
    ["a name that no object has", { name: "W eb" }],
    ["nothing", { apiVersion: "", kind: "", name: "" }],
  ])("Z-5: a reference with %s may mean the object", (_, ref) => {
    const problems = [
      expect.stringMatching(/spec.resourceRef: .*DNSAnnotation shop\/a has a mistake.*correct the/),
    ];
    const names = { [NAMES]: "www.example.org" };

    test("of which nothing goes, until it is corrected or deleted", () => {
      const { cluster, annotate, found } = stage();
      annotate("a", names);
      annotate("a", names, { ref });
      expect(found()).toEqual({ ...EMPTY, problems, complete: false });
      annotate("a", names);
      expect(found()).toEqual({ ...EMPTY, names: ["www.example.org null"] });
      annotate("a", names, { ref });
      cluster.delete(DNS_ANNOTATION, "shop", "a");
      expect(found()).toEqual(EMPTY);
    });

    test("what the object has by itself changes, unless more than names may be lost", () => {
      const { annotate, found } = stage(service({ [NAMES]: "own.example.org" }));
      annotate("a", names, { ref });
      const incomplete = { ...EMPTY, problems, complete: false };
      expect(found()).toEqual({ ...incomplete, names: ["own.example.org null"] });
      annotate("a", { ...names, [TTL]: "60" }, { ref });
      expect(found()).toEqual({ ...incomplete, waits: ["own.example.org SourceIncomplete"] });
    });

    test.each([
      ["that is being deleted", { deletionTimestamp: "2026-01-01T00:00:00Z" }],
      ["of another class", { annotations: { "dns.gardener.cloud/class": "other" } }],
    ])("an object %s is not held", (__, metadata) => {
      const one = service();
      const { annotate, found } = stage({ ...one, metadata: { ...one.metadata, ...metadata } });
      annotate("a", names, { ref });
      expect(found()).toEqual(EMPTY);
    });
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
