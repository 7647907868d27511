/** Reasons to hold a change because of other tenants; a part of the table in hold-reasons.ts. */
import { ENDED_BY_OPERATOR, ENDED_BY_USER, type HoldReason, PASSES, WAITS } from "./hold-reason.ts";

/** By code (Z-26, Z-28). */
export const TENANT_HOLD_REASONS = {
  NameTaken: {
    meaning:
      "An object of another namespace has the name, or a name around it that this one concerns: `_dmarc.www` and `*.www` belong to `www`. A name has one namespace.",
    remedy:
      "Choose another name, or remove the name from the first object. Or let the first object permit this one, or the DNSProvider allow the name or share its names: docs/guides/ownership.md.",
    ...ENDED_BY_USER,
  },
  DelegationRefused: {
    meaning:
      "NS, DS or DNAME would take names from other namespaces, or from records that are not ours: resolvers would ask other servers for them.",
    remedy:
      "Remove what the message names, or choose another name. To delegate all the same, annotate each DNSProvider of the zone with zonekeeper.dev/allow-delegation and the name.",
    ...ENDED_BY_OPERATOR,
  },
  SharedRecord: {
    meaning: "Another object wants the same record with equal data, and has its marker.",
    remedy: "Nothing to do: when that object goes, the marker passes on and the record stays.",
    ...PASSES,
  },
  SharedWaits: {
    meaning:
      "Another object wants the same record with equal data and comes first; its change is not confirmed yet.",
    remedy: "Nothing to do; see the first object if it lasts.",
    ...WAITS,
  },
} as const satisfies Readonly<Record<string, HoldReason>>;
