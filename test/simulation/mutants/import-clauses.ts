/** Clauses of proofs/imports.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const IMPORT_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "a record of this cluster does not come back",
    clause: "own-record-is-not-imported",
    breaks: /^a record of this cluster comes back/,
  },
  {
    drops: "an imported object is never published",
    clause: "imported-is-not-published",
    to: "false",
    breaks: /^an imported object is published/,
  },
  {
    drops: "an address of the machine is no host of the mesh",
    clause: "internal-address-is-not-imported",
    to: "const others = addresses;",
    breaks: /^an address of the machine comes in/,
  },
  {
    drops: "a host of somebody's own object is left alone",
    clause: "local-host-stays",
    to: "false",
    breaks: /^a host has two objects/,
  },
  {
    drops: "an object goes after two answers of the zone, a minute apart",
    clause: "two-readings-without-the-host",
    to: "const proven = over;",
    breaks: /^an object goes at once/,
  },
  {
    drops: "many removals wait for a person",
    clause: "imports-have-a-fuse",
    to: "const isHeld = others.length < 0 && most < 0;",
    breaks: /^forty objects go without a person/,
  },
  {
    drops: "a zone without records is not known to be empty",
    clause: "empty-zone-imports-nothing",
    breaks: /^a zone without records takes everything/,
  },
];
