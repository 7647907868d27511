/**
 * The CustomResourceDefinitions that this program brings along, as deploy/crds has them: these
 * files are the definitions, and nothing is written from here. Every object that Gardener's CRDs
 * accept is accepted by ours; provider types are not an enum, so that a new one needs no new CRD.
 */
import type { CustomResourceDefinition } from "@zonekeeper/kube/control-plane/crd/definition-document";
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

/** Who keeps a definition up to date; Gardener's programs read and write the same. */
export const MAINTAINER = "crds.gardener.cloud/maintainer";
/** A whole number that grows with each change of any definition. */
export const DEFINITION_VERSION = "zonekeeper.dev/definition-version";
/** Of all definitions together; a test demands a new one when their content changes. */
export const OUR_VERSION = 1;

/** DNSProvider: an account at a DNS provider. Short name `dnspr`. */
export const DNS_PROVIDER_CRD = definitionIn(providers);

/** DNSEntry: one record set that is wanted. Short name `dnse`. */
export const DNS_ENTRY_CRD = definitionIn(entries);

/** DNSOwner: one owner id besides the one of --owner. Short name `dnso`. */
export const DNS_OWNER_CRD = definitionIn(owners);

/** DNSAnnotation: annotations for an object that somebody else writes. Short name `dnsa`. */
export const DNS_ANNOTATION_CRD = definitionIn(annotations);

/**
 * DNSEndpoint: record sets as external-dns reads them with its source crd (as of v0.22), for
 * clusters that do not have its own definition. Nothing is required and nothing is checked, as
 * there.
 */
export const DNS_ENDPOINT_CRD = definitionIn(endpoints);

/** What `run` installs where it may. */
export const OWN_DEFINITIONS: readonly CustomResourceDefinition[] = [
  DNS_ANNOTATION_CRD,
  DNS_ENTRY_CRD,
  DNS_OWNER_CRD,
  DNS_PROVIDER_CRD,
  DNS_ENDPOINT_CRD,
];

/** What the API of `dev` begins with. */
export const EMBEDDED_DEFINITIONS = [
  DNS_PROVIDER_CRD,
  DNS_ENTRY_CRD,
  DNS_OWNER_CRD,
  DNS_ANNOTATION_CRD,
] as const;

function definitionIn(text: string): CustomResourceDefinition {
  const definition: CustomResourceDefinition = parse(text);
  return definition;
}
