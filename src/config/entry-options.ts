/** Options about generated DNSEntries and about Gardener's way of writing: rows of the table. */
import type { CommandName, Option } from "./option.ts";
import { option } from "./option-row.ts";

const RUN: readonly CommandName[] = ["run"];
const BOTH: readonly CommandName[] = ["dev", "run"];

/** In the order of the help text. */
export const ENTRY_OPTIONS: readonly Option[] = [
  option({
    name: "exclude-domains",
    type: "list",
    doc: "Names that Services and Ingresses do not get: this very name, or with *. before it each name one label below. A name that had a record loses it, through the fuse. Default: none.",
    commands: BOTH,
  }),
  option({
    name: "blocked-zone",
    type: "list",
    doc: "Ids of hosted zones that no DNSProvider serves, as if each of them excluded it in spec.zones.exclude. Its records stay as they are, and an entry in it that is deleted waits. Default: none.",
    commands: BOTH,
  }),
  option({
    name: "source-dns-class",
    type: "text",
    doc: "Classes of the Services, Ingresses and other source objects that are read, separated by commas. Default: those of --dns-class.",
    commands: BOTH,
  }),
  option({
    name: "dns-target-class",
    type: "text",
    doc: "Class of the DNSEntries that are generated. One that is not in --dns-class is for another process to publish. Default: the first class of the source objects.",
    commands: BOTH,
  }),
  option({
    name: "target-namespace",
    type: "text",
    doc: "The one namespace of the target cluster that DNSEntries are generated in. Default: the namespace of the Service or Ingress.",
    commands: BOTH,
  }),
];

/** How the command line and the file are read. */
export const DIALECT_OPTION: Option = option({
  name: "dialect",
  type: "choice",
  default: "zonekeeper",
  choices: ["zonekeeper", "gardener"],
  doc: "gardener = --namespace is the namespace of the Lease, and the file may be one of Gardener's DNS controller manager. Its other options are understood anyway; one without effect is told. Not in the file.",
  commands: RUN,
});
