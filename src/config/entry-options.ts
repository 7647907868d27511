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
    doc: "Names that Services and Ingresses do not get: this very name, or with *. before it each name one label below. A name that has a record loses it when the set is approved (zonekeeper plan shows its hash). Default: none.",
    commands: BOTH,
  }),
  option({
    name: "exclude-target-net",
    type: "list",
    doc: "Networks such as 10.0.0.0/8 or fd00::/8. Addresses in them that load balancers of Services and Ingresses report are not published; where one reports no other address, the names wait (ImplausibleTarget) and what was published stays. Default: none.",
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
  option({
    name: "target-realms",
    type: "text",
    doc: "Realms of generated DNSEntries, separated by commas (annotation dns.gardener.cloud/realms), where the Service or Ingress names none. Default: none.",
    commands: BOTH,
  }),
  option({
    name: "target-owner-id",
    type: "text",
    doc: "Owner id of the records of Services and Ingresses, whatever they say; a DNSOwner switches it on. Default: what the annotation dns.gardener.cloud/owner-id of the object says, else --owner.",
    commands: BOTH,
  }),
  option({
    name: "target-set-ignore-owners",
    type: "flag",
    default: "true",
    doc: "Generated DNSEntries in --target-namespace use the DNSProviders of that namespace. false = those of the namespace of their Service or Ingress, if it is in the same cluster.",
    commands: BOTH,
  }),
  option({
    name: "target-creator-label-name",
    type: "text",
    default: "creator",
    doc: "Name of a label of new generated DNSEntries whose value is --target-creator-label-value.",
    commands: BOTH,
  }),
  option({
    name: "target-creator-label-value",
    type: "text",
    doc: "Value of that label. Default: there is no such label.",
    commands: BOTH,
  }),
  option({
    name: "disable-namespace-restriction",
    type: "flag",
    default: "false",
    doc: "A DNSProvider serves the objects of all namespaces, and not those of its own alone. Whoever may write objects in any namespace gets names in its zones.",
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
