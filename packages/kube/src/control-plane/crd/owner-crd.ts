/** The CustomResourceDefinition of DNSOwner. */
import { integer, map, object, text, time } from "../schema/schema.ts";
import type { CustomResourceDefinition } from "./definition-document.ts";
import { columnOf, definition, WIDE } from "./gardener-definition.ts";

const ownerSpec = object(
  "One owner id, and when it is on.",
  {
    ownerId: text("The owner id, as spec.ownerId of DNSEntries names it."),
    active: { type: "boolean", description: "False = off. Default: true." },
    validUntil: time("From this time on it is off."),
    dnsActivation: object(
      "A TXT record that says where the owner id is on.",
      {
        dnsName: text("Name of the TXT record."),
        value: text("It is on while the record has this text; default: the id of this cluster."),
      },
      { required: ["dnsName"] },
    ),
  },
  { required: ["ownerId"] },
);

const ownerStatus = object("What became of it.", {
  active: { type: "boolean", description: "The owner id is on here." },
  message: text("Why it is off, or what is wrong."),
  entries: object("The DNSEntries that name the owner id.", {
    amount: integer("How many."),
    types: map("How many by provider type.", integer("How many.")),
  }),
});

/** DNSOwner: one owner id besides the one of --owner. Short name `dnso`. */
export const DNS_OWNER_CRD: CustomResourceDefinition = definition({
  kind: "DNSOwner",
  shortName: "dnso",
  description: "An owner id that is switched on and off.",
  scope: "Cluster",
  properties: { spec: ownerSpec, status: ownerStatus },
  columns: [
    columnOf("OWNERID", ".spec.ownerId"),
    columnOf("ACTIVE", ".status.active"),
    columnOf("USAGES", ".status.entries.amount"),
    columnOf("VALID", ".spec.validUntil"),
    columnOf("AGE", ".metadata.creationTimestamp"),
    columnOf("MESSAGE", ".status.message", WIDE),
  ],
});
