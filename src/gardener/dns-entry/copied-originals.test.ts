import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { describe, expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import { COPIED_FROM_ANNOTATION } from "../../model/annotation-keys.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { OWNERS_ANNOTATION } from "../../model/generated-entries.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { resourceOf } from "../../model/provenance.ts";
import { NOTHING } from "../../sources/source.ts";
import { withOriginals } from "./copied-originals.ts";

const API = "dns.gardener.cloud/v1alpha1";

interface Made {
  readonly from?: string;
  readonly owners?: string;
  readonly dnsClass?: string;
  readonly finalizers?: readonly string[];
  readonly namespace?: string;
  readonly isCopy?: boolean;
}

function world() {
  const cluster = new MemoryCluster("c1");
  const entry = (name: string, made: Made = {}): KubeObject => {
    const { from, owners, dnsClass, finalizers = [], namespace = "default" } = made;
    const isCopy = made.isCopy ?? (from !== undefined || owners !== undefined);
    const annotations = {
      ...(isCopy ? { [COPIED_FROM_ANNOTATION]: "c1/intern" } : {}),
      ...(owners === undefined ? {} : { [OWNERS_ANNOTATION]: owners }),
      ...(dnsClass === undefined ? {} : { [CLASS_ANNOTATION]: dnsClass }),
    };
    const owner = {
      apiVersion: API,
      kind: "DNSEntry",
      name: from ?? "",
      uid: "u",
      controller: true,
    };
    const links = from === undefined ? {} : { ownerReferences: [owner] };
    const metadata = { namespace, name, annotations, finalizers, ...links };
    const object: KubeObject = { ...objectOf(API, "DNSEntry", name, {}), metadata };
    cluster.apply(DNS_ENTRY, object);
    return object;
  };
  const originals = (one: KubeObject, targetNamespace: string | null = null) =>
    withOriginals(one, NOTHING, { view: cluster, dnsClasses: ["gardendns"], targetNamespace });
  const of = (one: KubeObject, targetNamespace: string | null = null) =>
    (originals(one, targetNamespace).succeeds ?? []).map(resourceOf);
  return { entry, originals, of };
}

describe("originals that nobody publishes", () => {
  test("by reference, and on through copies of copies", () => {
    const { entry, of } = world();
    entry("web", { dnsClass: "x" });
    entry("middle", { from: "web", dnsClass: "y" });
    const last = entry("last", { from: "middle" });
    expect(of(last)).toEqual(["dnsentry/default/middle", "dnsentry/default/web"]);
  });

  test("by annotation: within the namespace, or in the target namespace alone", () => {
    const { entry, of } = world();
    entry("web", { dnsClass: "intern" });
    const owners = "dns.gardener.cloud/DNSEntry/default/web";
    expect(of(entry("near", { owners }))).toEqual(["dnsentry/default/web"]);
    const far = entry("far", { owners, namespace: "dns" });
    expect([of(far), of(far, "dns")]).toEqual([[], ["dnsentry/default/web"]]);
    expect(of(entry("other", { owners: `c2:${owners}` }))).toEqual([]);
  });

  test.each([
    ["of a class of this process", {}],
    [
      "that another set publishes",
      { dnsClass: "x", finalizers: ["x.dns.gardener.cloud/compound"] },
    ],
  ])("not one %s", (_, original) => {
    const { entry, originals } = world();
    entry("web", original);
    const found = originals(entry("copy", { from: "web" }));
    expect(found.succeeds).toBeUndefined();
    // It is asked for again when that one changes.
    expect(found.reads).toEqual([{ kind: DNS_ENTRY, namespace: "default", name: "web" }]);
  });

  test("not one that is gone, and none of an entry that is no copy", () => {
    const { entry, of } = world();
    expect(of(entry("copy", { from: "gone" }))).toEqual([]);
    entry("web", { dnsClass: "x" });
    expect(of(entry("linked", { from: "web", isCopy: false }))).toEqual([]);
  });

  test("two that name each other end", () => {
    const { entry, of } = world();
    entry("one", { from: "two", dnsClass: "x" });
    const two = entry("two", { from: "one", dnsClass: "x" });
    expect(of(two).length).toBeLessThanOrEqual(10);
  });
});
