/**
 * The CustomResourceDefinition of DNSEndpoint, which external-dns reads with its source crd
 * (externaldns.k8s.io/v1alpha1, as of v0.22), for clusters that do not have its own definition.
 * Written from the facts of that API; nothing is required and nothing is checked, as there.
 */
import { integer, list, map, object, type Schema, text } from "../schema/schema.ts";
import type { CustomResourceDefinition } from "./definition-document.ts";
import { DEFINITION_MARK } from "./definition-mark.ts";
import { conditions, UNSEEN } from "./gardener-definition.ts";

const GROUP = "externaldns.k8s.io";
/** Groups of kubernetes.io and k8s.io must say who approved their API (KEP-1111). */
const APPROVAL = "https://github.com/kubernetes-sigs/external-dns/pull/2007";

const endpoint = object("One record set.", {
  dnsName: text("Its name."),
  recordType: text("Its type, such as A or NS."),
  recordTTL: integer("Seconds; 0 or nothing = the default.", { format: "int64" }),
  targets: list("Its values.", text("One value.")),
  setIdentifier: text("Tells members of one routing policy apart."),
  labels: map("Labels of the marker; not read by Zonekeeper.", text("A label.")),
  providerSpecific: list(
    "Properties of one provider.",
    object("One property.", { name: text("Its name."), value: text("Its value.") }),
  ),
});

const schema: Schema = object("Record sets that are to stand in DNS.", {
  apiVersion: text("API version of this object."),
  kind: text("Kind of this object."),
  metadata: { type: "object" },
  spec: object("What is wanted.", { endpoints: list("The record sets.", endpoint) }),
  status: object(
    "What became of it.",
    {
      observedGeneration: integer("The generation that was looked at last.", { format: "int64" }),
      conditions,
    },
    UNSEEN,
  ),
});

/** DNSEndpoint: record sets that are wanted, as external-dns has them. */
export const DNS_ENDPOINT_CRD: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: `dnsendpoints.${GROUP}`,
    annotations: { "api-approved.kubernetes.io": APPROVAL, ...DEFINITION_MARK },
  },
  spec: {
    group: GROUP,
    names: {
      kind: "DNSEndpoint",
      listKind: "DNSEndpointList",
      plural: "dnsendpoints",
      singular: "dnsendpoint",
    },
    scope: "Namespaced",
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: { status: {} },
      },
    ],
  },
};
