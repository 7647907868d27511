/**
 * The CustomResourceDefinitions that this program brings along, as deploy/crds has them: these
 * files are the definitions, and nothing is written from here. Every object that Gardener's CRDs
 * accept is accepted by ours; provider types are not an enum, so that a new one needs no new CRD.
 */
import { parse } from "yaml";
import annotations from "../../../../../deploy/crds/dns.gardener.cloud_dnsannotations.yaml" with {
  type: "text",
};
import entries from "../../../../../deploy/crds/dns.gardener.cloud_dnsentries.yaml" with {
  type: "text",
};
import owners from "../../../../../deploy/crds/dns.gardener.cloud_dnsowners.yaml" with {
  type: "text",
};
import providers from "../../../../../deploy/crds/dns.gardener.cloud_dnsproviders.yaml" with {
  type: "text",
};
import endpoints from "../../../../../deploy/crds/externaldns.k8s.io_dnsendpoints.yaml" with {
  type: "text",
};
import type { CustomResourceDefinition } from "./definition-document.ts";

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

function definitionIn(text: string): CustomResourceDefinition {
  const definition: CustomResourceDefinition = parse(text);
  return definition;
}
