/**
 * Every option of the program, once. Flags, environment, configuration file, help texts and
 * `docs/reference/options.md` are made from it; nothing else may declare an option.
 */

import { CLIENT_OPTIONS, CLIENTS } from "./client-options.ts";
import { CLUSTER_OPTIONS } from "./cluster-options.ts";
import { DIALECT_OPTION, ENTRY_OPTIONS } from "./entry-options.ts";
import { FUSE_OPTIONS } from "./fuse-options.ts";
import { HTTP_OPTIONS } from "./http-options.ts";
import { LEASE_OPTIONS } from "./lease-options.ts";
import { LIVE_OPTIONS } from "./live-options.ts";
import { LOOKUP_OPTIONS } from "./lookup-options.ts";
import { NAME_SERVER_OPTIONS } from "./name-server-options.ts";
import { type CommandName, type Option, rowFor } from "./option.ts";
import { option } from "./option-row.ts";
import type { PlugIns } from "./plug-ins.ts";
import { MIGRATE_OPTIONS, TXT_OPTIONS } from "./txt-options.ts";
import { WEBHOOK_OPTIONS } from "./webhook-options.ts";

const RUN: readonly CommandName[] = ["run"];
const DEV: readonly CommandName[] = ["dev"];
const BOTH: readonly CommandName[] = ["dev", "run"];
const TAKE: readonly CommandName[] = ["owner take"];
const HOUR_MS = 3_600_000;

/** Sorted by what they are about; the order is that of the help text. */
export const OPTIONS: readonly Option[] = [
  option({
    name: "config",
    type: "text",
    doc: "Configuration file (YAML, apiVersion zonekeeper.dev/v1alpha1, kind Configuration).",
    commands: BOTH,
  }),
  DIALECT_OPTION,
  option({
    name: "owner",
    aliases: ["txt-owner-id", "identifier"],
    type: "text",
    doc: "Id of the controller group that owns the records. Equal on every replica, different for every other group that writes to the same zones. What the registry cannot write into a marker is refused: under txt quotes and commas, under gardener quotes and backslashes, under mesh all three, and what is not printable ASCII or too long.",
    docFor: {
      dev: "Id of the controller group that owns the records. Default: one is made and kept.",
    },
    commands: BOTH,
    requiredBy: RUN,
  }),
  option({
    name: "data",
    type: "text",
    default: null,
    defaultFor: Object.fromEntries(
      ["dev", ...CLIENTS].map((command) => [command, "./.zonekeeper"]),
    ),
    doc: "Data folder of the running instance, by which it is found.",
    docFor: {
      dev: "Data folder. Everything is kept in it.",
      run: "Data folder for counters, pauses and the token of the local API. Without it they are in ConfigMaps beside the Lease, and there is no local API; --api-port serves it without a folder.",
      check: "Data folder that run would have.",
    },
    commands: [...BOTH, ...CLIENTS],
  }),
  ...NAME_SERVER_OPTIONS,
  ...MIGRATE_OPTIONS,
  ...HTTP_OPTIONS,
  option({
    name: "no-examples",
    type: "flag",
    default: "false",
    doc: "Start with an empty cluster. Without it the examples are applied when the store is empty, and never again.",
    commands: DEV,
  }),
  ...CLUSTER_OPTIONS,
  option({
    name: "provider-trusted-namespaces",
    type: "list",
    doc: "Namespaces whose DNSProviders may name any server; those of others reach no loopback, link-local or metadata address. * = all. Default: the namespace where the program runs.",
    commands: RUN,
  }),
  option({
    name: "namespace",
    type: "text",
    doc: "Namespace of the installation. Default: all are searched for the one that there is.",
    docFor: { run: "Look at this namespace only, in every cluster. Default: all namespaces." },
    commands: [...RUN, ...CLIENTS],
  }),
  option({
    name: "controllers",
    type: "list",
    default: "all",
    choices: ["all", "compound"],
    plugIns: "controllers",
    furtherChoices: "the groups dnscontrollers and dnssources, a type of DNSProviders",
    doc: "Which controllers run. compound = DNSProvider and DNSEntry.",
    commands: RUN,
  }),
  option({
    name: "provider-types",
    type: "list",
    default: "all",
    choices: ["all"],
    plugIns: "providerTypes",
    doc: "Types of the DNSProviders that this process serves. Those of other types, and the DNSEntries that they serve, are left to other processes.",
    commands: RUN,
  }),
  option({
    name: "publish",
    type: "choice",
    choices: ["entries", "direct"],
    doc: "How Services and Ingresses are published: entries = through DNSEntries that are generated for them, direct = without; their state is in Events and in an annotation. A change of this option changes nothing in the zone. Default: what sources.md says of each source.",
    commands: BOTH,
  }),
  option({
    name: "omit-status-annotation",
    type: "flag",
    default: "false",
    doc: "With --publish direct: do not write the annotation zonekeeper.dev/status at Services and Ingresses.",
    commands: BOTH,
  }),
  ...ENTRY_OPTIONS,
  ...LIVE_OPTIONS,
  ...LOOKUP_OPTIONS,
  option({
    name: "dns-class",
    type: "text",
    default: "gardendns",
    doc: "Classes of the objects that are served (annotation dns.gardener.cloud/class), separated by commas. DNSProviders, DNSEntries and DNSOwners of the others are taken into the first.",
    commands: BOTH,
  }),
  option({
    name: "ttl",
    type: "integer",
    default: "300",
    unit: "seconds",
    min: 1,
    max: 2_147_483_647,
    doc: "TTL of records whose object names no TTL.",
    commands: BOTH,
  }),
  option({
    name: "policy",
    type: "choice",
    default: "sync",
    choices: ["sync", "upsert-only", "create-only"],
    doc: "What may be done to our own records: everything; no removals; nothing but creations.",
    commands: BOTH,
  }),
  option({
    name: "no-targets-grace",
    type: "duration",
    min: 1000,
    max: 365 * 24 * HOUR_MS,
    doc: "How long the records of an object stay that is alive and lists their name, but has lost every address in its status. Counted by the present leader from when it first saw it; a restart begins anew. The removals pass the fuse. Default: for ever.",
    commands: BOTH,
  }),
  option({
    name: "adopt",
    type: "choice",
    default: "never",
    choices: ["never", "equal", "listed"],
    doc: "Whether an unowned record at a wanted name is taken over: never, when its data is equal, or when the annotation zonekeeper.dev/adopt of the object lists exactly its data.",
    commands: RUN,
  }),
  option({
    name: "registry",
    type: "choice",
    default: "txt",
    plugIns: "registries",
    doc: "Where ownership is recorded; see registries.md. The options txt-… and marker-signing… go with txt alone.",
    commands: RUN,
  }),
  option({
    name: "noop-owns",
    type: "list",
    registry: "noop",
    doc: "With --registry noop: domains in which every A, AAAA, CNAME and TXT record counts as ours and may be changed and removed, whoever made it. Default: none.",
    commands: RUN,
  }),
  option({
    name: "cluster-alias",
    type: "list",
    doc: "Former ids of clusters, each as old=new: markers that name the old one count as the new one's. Default: none.",
    commands: RUN,
  }),
  ...TXT_OPTIONS,
  ...FUSE_OPTIONS,
  option({
    name: "dry-run",
    type: "flag",
    default: "false",
    doc: "Plan and explain, beside the instance that writes: writes to no zone and to no cluster, and needs no Lease. Enforced below everything: a writing call is impossible.",
    commands: BOTH,
  }),
  option({
    name: "pause",
    type: "flag",
    default: "false",
    doc: "Start with all zones paused: they are read and planned, nothing is written until zonekeeper resume --all.",
    commands: BOTH,
  }),
  option({
    name: "paused-zones",
    type: "list",
    doc: "Start with these zones paused, each until zonekeeper resume --zone NAME.",
    commands: BOTH,
  }),
  option({
    name: "notify-address",
    type: "text",
    doc: "IP address and port, such as 127.0.0.1:5354, that receives NOTIFY (RFC 1996) from the zones' servers over UDP and TCP. A change by another writer is then read at once, not at the next check of the serial. Default: no listener.",
    commands: RUN,
  }),
  ...WEBHOOK_OPTIONS,
  ...LEASE_OPTIONS,
  option({
    name: "fence",
    type: "choice",
    default: "auto",
    choices: ["auto", "off"],
    doc: "Whether each zone gets a TXT record <hash>._zonekeeper-fence.<apex> that every write compares, so that a stale replica, or another installation with this owner id, cannot write. auto = where the provider can compare and lets it be written; else, and with off, writing stops early enough before the Lease ends.",
    commands: BOTH,
  }),
  option({
    name: "from",
    type: "text",
    doc: "Election domain of the installation that the owner id is taken from, as zonekeeper plan names it.",
    commands: TAKE,
    requiredBy: TAKE,
  }),
  option({
    name: "yes",
    type: "flag",
    default: "false",
    doc: "Do it. Without it the command only shows what it would write.",
    docFor: {
      "registry migrate":
        "Do it, and wait until it is done. Without it the command only shows what it would write.",
    },
    commands: [...TAKE, "registry migrate"],
  }),
  ...CLIENT_OPTIONS,
  option({
    name: "log-level",
    type: "choice",
    default: "info",
    choices: ["debug", "info", "warn", "error"],
    doc: "Least level that is logged.",
    commands: BOTH,
  }),
  option({
    name: "log-format",
    type: "choice",
    default: "auto",
    choices: ["auto", "json", "text"],
    doc: "auto = text on a terminal, else JSON lines. Logs go to stderr.",
    commands: BOTH,
  }),
];

/** The options of a command, in the order of the table. */
export function optionsOf(command: CommandName, plugIns: PlugIns): readonly Option[] {
  // `check` looks at what `run` would work with.
  const rows = OPTIONS.map((row) => (command === "check" ? withCheck(row) : row));
  return rows
    .filter((row) => row.commands.includes(command))
    .map((row) => rowFor(row, command, plugIns));
}

function withCheck(row: Option): Option {
  if (!row.commands.includes("run")) return row;
  const requiredBy = row.requiredBy.includes("run") ? [...row.requiredBy, "check" as const] : [];
  return { ...row, commands: [...row.commands, "check"], requiredBy };
}
