/**
 * The CustomResourceDefinitions of DNSProvider, DNSEntry and DNSAnnotation, all of
 * version dns.gardener.cloud/v1alpha1. The files in deploy/crds are written from this table; a test
 * keeps them equal. Every object that Gardener's CRDs accept is accepted here; provider types are
 * not an enum, so that a new one needs no new CRD.
 */

import {
  type Extra,
  integer,
  list,
  map,
  object,
  type Schema,
  text,
  time,
} from "../schema/schema.ts";
import type { PrinterColumn } from "./definition.ts";
import type { CustomResourceDefinition } from "./definition-document.ts";
import { columnOf, conditions, definition, UNSEEN, WIDE } from "./gardener-definition.ts";

/** 100 days: what Gardener accepts. */
const TTL_SECONDS_MAX = 8_640_000;
/** Items of a list of names or values. */
const ITEMS_MAX = 100;

const ttl = (description: string, extra: Extra = {}): Schema =>
  integer(description, { format: "int64", minimum: 1, maximum: TTL_SECONDS_MAX, ...extra });
const texts = (description: string): Schema =>
  list(description, text("One value."), { maxItems: ITEMS_MAX });

/** The same in spec and status. */
const routingPolicy = object(
  "How several record sets of one name share the answers. A provider that lacks the policy holds the entry.",
  {
    type: text("Kind of the policy.", {
      enum: ["weighted", "latency", "geolocation", "ip-based", "failover", "proxied"],
    }),
    setIdentifier: text("Tells the record sets of one name apart."),
    parameters: map("Settings of the policy, by name.", text("A setting.")),
  },
  { required: ["type", "setIdentifier", "parameters"] },
);

const secretReference = (description: string): Schema =>
  object(
    description,
    { name: text("Name of the object."), namespace: text("Its namespace; default: the same.") },
    { required: ["name"], "x-kubernetes-map-type": "atomic" },
  );

/** Gardener docs, DNSEntry `spec`. */
const entrySpec = object(
  "The record set that is wanted.",
  {
    dnsName: text("Full name; may begin with `*.`; a trailing dot is tolerated.", { minLength: 1 }),
    targets: texts("Addresses (A, AAAA) or host names (CNAME)."),
    text: texts("Values of a TXT record set; excludes targets."),
    ttl: ttl("Seconds; default: the provider's."),
    cnameLookupInterval: integer(
      "Seconds between look-ups of host names that become addresses; default: 600.",
      { format: "int64", minimum: 30, maximum: TTL_SECONDS_MAX },
    ),
    resolveTargetsToAddresses: {
      type: "boolean",
      description:
        "True: one host name as target is looked up, too, and its addresses are published. Several are in any case.",
    },
    ownerId: text(
      "The owner to mark the record with. One that the instance does not use is refused; default: its own.",
    ),
    reference: secretReference(
      "Another DNSEntry of the namespace, whose targets or texts are taken.",
    ),
    routingPolicy,
  },
  { required: ["dnsName"] },
);

/** Gardener docs, DNSEntry `status`; `targets` holds TXT values in double quotes. */
const entryStatus = object(
  "What became of it.",
  {
    observedGeneration: integer("The generation that this is about.", { format: "int64" }),
    state: text("Pending, Ready, Error, Stale, Invalid, Deleting or Ignored."),
    message: text("The reason of the state, for people."),
    lastUpdateTime: time("When another field of the status changed last."),
    provider: text("namespace/name of the DNSProvider."),
    providerType: text("Type of the DNSProvider."),
    zone: text("The zone that holds the record set."),
    dnsName: text("The name that was written last."),
    targets: list("The values that were written.", text("One value.")),
    ttl: integer("Seconds, as written.", { format: "int64" }),
    cnameLookupInterval: integer("Seconds; only while look-ups run.", { format: "int64" }),
    routingPolicy,
    conditions,
  },
  UNSEEN,
);

const selection = (description: string): Schema =>
  object(description, {
    include: list("Only these.", text("One item."), { maxItems: ITEMS_MAX }),
    exclude: list("But not these.", text("One item."), { maxItems: ITEMS_MAX }),
  });

const selected = (description: string): Schema =>
  object(description, {
    included: list("Those that are served.", text("One item.")),
    excluded: list("Those that are left out.", text("One item.")),
  });

const rateLimit = object(
  "How many requests may be made.",
  {
    requestsPerDay: integer("Requests in 24 hours.", { format: "int32" }),
    burst: integer("Requests at once.", { format: "int32" }),
  },
  { required: ["requestsPerDay", "burst"] },
);

/** Gardener docs, DNSProvider `spec`. */
const providerSpec = object(
  "An account at a DNS provider.",
  {
    type: text("Provider type, e.g. rfc2136.", { minLength: 1 }),
    providerConfig: {
      type: "object",
      description: "Settings of the provider type.",
      "x-kubernetes-preserve-unknown-fields": true,
    },
    secretRef: secretReference("The Secret with the credentials."),
    domains: selection("Domains that may be used."),
    zones: selection("Ids of zones that may be used."),
    defaultTTL: ttl("Seconds for entries without ttl."),
    rateLimit,
    quotas: object("Limits.", {
      entries: integer("Entries at most.", { format: "int32", minimum: 0 }),
    }),
  },
  { required: ["type"] },
);

/**
 * Gardener docs, DNSProvider `status`; operation and error are Gardener types, kept as they are.
 */
const providerStatus = object(
  "What became of it.",
  {
    observedGeneration: integer("The generation that this is about.", { format: "int64" }),
    state: text("Ready, Error or Invalid."),
    message: text("The reason of the state, for people."),
    lastUpdateTime: time("When another field of the status changed last."),
    domains: selected("The domains that follow from zones and selection."),
    zones: selected("The zones that follow from account and selection."),
    defaultTTL: integer("Seconds.", { format: "int64" }),
    rateLimit,
    secretRef: secretReference("The Secret that is in use."),
    lastOperation: {
      ...object("The last operation.", {}),
      "x-kubernetes-preserve-unknown-fields": true,
    },
    lastError: { ...object("The last error.", {}), "x-kubernetes-preserve-unknown-fields": true },
    conditions,
  },
  UNSEEN,
);

const annotationSpec = object(
  "The object, and what it is annotated with.",
  {
    resourceRef: object(
      "The object. It may be created later.",
      {
        apiVersion: text("Its API version, such as v1 or networking.k8s.io/v1."),
        kind: text("Its kind, such as Service or Ingress."),
        name: text("Its name."),
        namespace: text("Its namespace; only that of this object has an effect, the default."),
      },
      { required: ["apiVersion", "kind", "name"] },
    ),
    annotations: map("What the object gets in addition, by key.", text("A value.")),
  },
  { required: ["resourceRef", "annotations"] },
);

const annotationStatus = object("What becomes of it, written by the controllers.", {
  active: { type: "boolean", description: "The object exists, and an annotation counts for it." },
  message: text("What has no effect, why, and what to do."),
});

const entryColumns: readonly PrinterColumn[] = [
  columnOf("DNS", ".spec.dnsName"),
  columnOf("TYPE", ".status.providerType"),
  columnOf("PROVIDER", ".status.provider"),
  columnOf("STATUS", ".status.state"),
  columnOf("AGE", ".metadata.creationTimestamp"),
  columnOf("TARGETS", ".status.targets", WIDE),
  columnOf("TTL", ".status.ttl", WIDE),
  columnOf("ZONE", ".status.zone", WIDE),
  columnOf("MESSAGE", ".status.message", WIDE),
];

const providerColumns: readonly PrinterColumn[] = [
  columnOf("TYPE", ".spec.type"),
  columnOf("STATUS", ".status.state"),
  columnOf("AGE", ".metadata.creationTimestamp"),
  columnOf("INCLUDED_DOMAINS", ".status.domains.included", WIDE),
  columnOf("INCLUDED_ZONES", ".status.zones.included", WIDE),
  columnOf("MESSAGE", ".status.message", WIDE),
];

/** DNSProvider: an account at a DNS provider. Short name `dnspr`. */
export const DNS_PROVIDER_CRD: CustomResourceDefinition = definition({
  kind: "DNSProvider",
  shortName: "dnspr",
  description: "An account at a DNS provider and the zones of it that may be used.",
  properties: { spec: providerSpec, status: providerStatus },
  columns: providerColumns,
});

/** DNSEntry: one record set that is wanted. Short name `dnse`. */
export const DNS_ENTRY_CRD: CustomResourceDefinition = definition({
  kind: "DNSEntry",
  shortName: "dnse",
  description: "One record set that is wanted, and what became of it.",
  properties: { spec: entrySpec, status: entryStatus },
  columns: entryColumns,
});

/** DNSAnnotation: annotations for an object that somebody else writes. Short name `dnsa`. */
export const DNS_ANNOTATION_CRD: CustomResourceDefinition = definition({
  kind: "DNSAnnotation",
  shortName: "dnsa",
  description: "Annotations of an object of the same namespace that somebody else writes.",
  properties: { spec: annotationSpec, status: annotationStatus },
  columns: [
    columnOf("REFKIND", ".spec.resourceRef.kind"),
    columnOf("REFNAME", ".spec.resourceRef.name"),
    columnOf("ACTIVE", ".status.active"),
    columnOf("AGE", ".metadata.creationTimestamp"),
    columnOf("REFGROUP", ".spec.resourceRef.apiVersion", WIDE),
    columnOf("REFNAMESPACE", ".spec.resourceRef.namespace", WIDE),
  ],
});
