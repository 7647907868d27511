/** The registry `txt` of a zone, opened for what its back end can do, as the program opens it. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Ownership } from "../../../src/ownership/ownership.ts";
import { openTxtOwnership } from "../../../src/ownership/txt/ownership.ts";
import type { Capabilities } from "../../../src/providers/provider.ts";

/** What the registry asks of a back end. */
export type MarkedBy = Pick<
  Capabilities,
  "atomicity" | "preconditions" | "starInNames" | "flattensApex" | "ownTypes"
>;

/** Markers of `owner` are ours. */
export function txtOwnershipOf(
  { apex, owner }: { readonly apex: DnsName; readonly owner: string },
  { atomicity, preconditions, starInNames, flattensApex, ownTypes }: MarkedBy,
): Ownership {
  return openTxtOwnership({
    apex,
    isOwnedByUs: (one) => one === owner,
    atomic: atomicity === "zone",
    byValue: atomicity === "value",
    starInNames: starInNames ?? false,
    flattensApex: flattensApex ?? false,
    ownTypes: ownTypes ?? {},
    isMerging: preconditions.written.absent === "never",
  });
}
