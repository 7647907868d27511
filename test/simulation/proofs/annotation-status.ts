/**
 * What the status of a DNSAnnotation says (ADR 0048), each clause shown by the smallest case
 * that it decides. Throws at the first one that is broken.
 */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { BY_REFERENCED_NAME } from "../../../src/model/dns-annotation.ts";
import { DNS_ANNOTATION } from "../../../src/model/kinds.ts";
import {
  type AnnotationVerdict,
  verdictOn,
} from "../../../src/source-controllers/annotations/annotation-verdict.ts";
import { MemoryCluster } from "../../support/worlds/memory-cluster.ts";
import { demand } from "./demand.ts";

const NAMES = "dns.gardener.cloud/dnsnames";
const TTL = "dns.gardener.cloud/ttl";

type Texts = Readonly<Record<string, string>>;

function service(name: string, annotations: Texts): KubeObject {
  const metadata = { name, namespace: "a", annotations };
  return { apiVersion: "v1", kind: "Service", metadata };
}

function annotation(name: string, annotations: Texts, ref: object = {}): KubeObject {
  const resourceRef = { apiVersion: "v1", kind: "Service", name: "web", ...ref };
  const creationTimestamp = `${2020 + name.length}-01-01T00:00:00Z`;
  return {
    ...{ apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSAnnotation" },
    metadata: { name, namespace: "a", creationTimestamp },
    spec: { resourceRef, annotations },
  };
}

/** ADR 0048, `status`. */
export function proveAnnotationStatus(): void {
  const cluster = new MemoryCluster("c");
  const old = annotation("o", { [NAMES]: "o.example.org", [TTL]: "60" });
  const young = annotation("young", { [TTL]: "90" });
  const part = annotation("younger", { [TTL]: "90", [NAMES]: "p.example.org" });
  for (const one of [old, young, part]) cluster.apply(DNS_ANNOTATION, one);
  cluster.apply(SERVICE, service("web", {}));
  cluster.apply(SERVICE, service("other", { "dns.gardener.cloud/class": "other" }));
  const verdict = (one: KubeObject, served = [SERVICE]): AnnotationVerdict | null =>
    verdictOn(one, {
      ...{ view: cluster, kinds: [SERVICE, INGRESS], served },
      dnsClasses: ["gardendns"],
      publishedClasses: null,
    });
  const foreign = verdict(annotation("f", { [TTL]: "60" }, { namespace: "b" }));
  demand(foreign?.state === "mistake", "a reference to another namespace passes in silence");
  const kind = verdict(annotation("k", { [TTL]: "60" }, { kind: "Pod" }));
  demand(kind?.state === "mistake", "a reference to a Pod passes in silence");
  demand(verdict(old, []) === null, "a process speaks of what another one reads");
  const away = verdict(annotation("w", { [TTL]: "60" }, { name: "away" }));
  demand(away?.state === "waits" && !away.active, "an object that is not there is a mistake");
  const other = verdict(annotation("x", { [TTL]: "60" }, { name: "other" }));
  demand(other === null, "a process speaks of an object of another class");
  demand(verdict(old)?.message === "", "the status of one has the losses of others");
  demand(verdict(young)?.active === false, "one whose only key is lost counts");
  demand(verdict(part)?.active === true, "one that loses a key does not count at all");
  demand(verdict(part)?.message.includes(TTL) === true, "a lost key is not told");
  cluster.setKindState(SERVICE, "forbidden");
  demand(verdict(old) === null, "an object that cannot be read counts as gone");
  cluster.relist(SERVICE);
  cluster.setKindState(DNS_ANNOTATION, "forbidden");
  demand(verdict(old) === null, "others that cannot be read count as none");
  demand(BY_REFERENCED_NAME.valuesOf(old).length === 1, "a reference is not indexed");
}
