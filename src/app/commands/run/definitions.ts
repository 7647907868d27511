/**
 * The CustomResourceDefinitions that this program brings along, as deploy/crds has them: these
 * files are the definitions, and nothing is written from here. Every object that Gardener's CRDs
 * accept is accepted by ours; provider types are not an enum, so that a new one needs no new CRD.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { parse } from "yaml";
import annotations from "../../../../deploy/crds/dns.gardener.cloud_dnsannotations.yaml" with {
  type: "text",
};
import entries from "../../../../deploy/crds/dns.gardener.cloud_dnsentries.yaml" with {
  type: "text",
};
import owners from "../../../../deploy/crds/dns.gardener.cloud_dnsowners.yaml" with {
  type: "text",
};
import providers from "../../../../deploy/crds/dns.gardener.cloud_dnsproviders.yaml" with {
  type: "text",
};
import endpoints from "../../../../deploy/crds/externaldns.k8s.io_dnsendpoints.yaml" with {
  type: "text",
};

/** Annotation: which program maintains a definition; Gardener's programs use it, too. */
export const MAINTAINER = "crds.gardener.cloud/maintainer";
/**
 * Annotation: version of our definitions, a whole number that grows with each change of any of
 * them.
 */
export const DEFINITION_VERSION = "zonekeeper.dev/definition-version";
/** The version of all definitions; a test demands a new one when their content changes. */
export const OUR_VERSION = 1;

/** The definitions that `run` installs where it may, by name. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ["dnsannotations.dns.gardener.cloud", annotations],
  ["dnsentries.dns.gardener.cloud", entries],
  ["dnsowners.dns.gardener.cloud", owners],
  ["dnsproviders.dns.gardener.cloud", providers],
  // The kind that external-dns reads with its source crd (v0.22), for clusters that lack its own
  // definition. As there, no field is required and none is checked.
  ["dnsendpoints.externaldns.k8s.io", endpoints],
]);

/** Names of our definitions. */
export const OWN_DEFINITIONS: readonly string[] = [...TEXTS.keys()];

/**
 * Finds one of our definitions by its name. Parsed when it is asked for: that takes longer than
 * anything else before the first list, and a start that finds all definitions in place needs none.
 */
export function definitionOf(name: string): KubeObject {
  const definition: KubeObject = parse(TEXTS.get(name) ?? "");
  return definition;
}

/** What the API of `dev` begins with: those of Gardener's group. */
export function embeddedDefinitions(): readonly KubeObject[] {
  return OWN_DEFINITIONS.filter((name) => name.endsWith(".dns.gardener.cloud")).map(definitionOf);
}
