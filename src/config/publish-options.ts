/**
 * What is published, and how: the options about sources, generated entries, classes and record
 * sets, as rows of the table and as they are read. Pure.
 */
import { fail, ok } from "@zonekeeper/base/result";
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import {
  isLabelValue,
  isQualifiedName,
  LABEL_VALUE_DETAIL,
  QUALIFIED_NAME_DETAIL,
} from "@zonekeeper/kube/objects/name-rules";
import {
  type AddressNet,
  isIpAddress,
  parseAddressNet,
  parseHostPort,
} from "../model/addresses.ts";
import { CLASS_FORM, type DnsClasses, isClass } from "../model/dns-class.ts";
import type { ExternalDnsRules } from "../model/external-dns-rules.ts";
import type { EntryMarks } from "../model/generated-entries.ts";
import { isOwnerId, OWNER_ID_FORM } from "../model/object-annotations.ts";
import type { PluginOptions } from "../model/plugin-options.ts";
import type { Problem } from "../model/problem.ts";
import { invalidOption } from "./option.ts";
import { namespaceName, type OptionReader, quoting, type ReadText } from "./option-reader.ts";
import { BOTH, choice, duration, flag, integer, list, rows, text } from "./option-row.ts";
import type { ResolvedOptions } from "./resolved-options.ts";

const YEAR_MS = 365 * 24 * 3_600_000;

/** In the order of the help text. */
export const PUBLISH_OPTIONS = rows(BOTH, {
  publish: choice(
    ["entries", "direct"],
    "How Services and Ingresses are published: entries = through DNSEntries that are generated for them, direct = without; their state is in Events and in an annotation. A change of this option changes nothing in the zone. Default: what sources.md says of each source.",
  ),
  "omit-status-annotation": flag(
    "With --publish direct: do not write the annotation zonekeeper.dev/status at Services and Ingresses.",
  ),
  "exclude-domains": list(
    "Names that Services and Ingresses do not get: this very name, or with *. before it each name one label below. A name that has a record loses it when the set is approved (zonekeeper plan shows its hash). Default: none.",
  ),
  "exclude-target-net": list(
    "Networks such as 10.0.0.0/8 or fd00::/8. Addresses in them that load balancers of Services and Ingresses report are not published; where one reports no other address, the names wait (ImplausibleTarget) and what was published stays. Default: none.",
  ),
  "serviceentry-namespaces": list(
    "Namespaces whose ServiceEntries are published without the annotation zonekeeper.dev/publish, by the source istio-serviceentry. Default: none.",
  ),
  "blocked-zone": list(
    "Ids of hosted zones that no DNSProvider serves, as if each of them excluded it in spec.zones.exclude. Its records stay as they are, and an entry in it that is deleted waits. Default: none.",
  ),
  "allow-private-targets": flag(
    "Publish private addresses (RFC 1918, RFC 6598, RFC 4193, and 240.0.0.0/4) in zones that their vendor calls public, too. Without it such a record is held as PrivateTarget, unless the one that stands has such an address already.",
  ),
  "source-dns-class": text(
    "Classes of the Services, Ingresses and other source objects that are read, separated by commas. Default: those of --dns-class.",
  ),
  "dns-target-class": text(
    "Class of the DNSEntries that are generated. One that is not in --dns-class is for another process to publish. Default: the first class of the source objects.",
  ),
  "target-namespace": text(
    "The one namespace of the target cluster that DNSEntries are generated in. Default: the namespace of the Service or Ingress.",
  ),
  "target-realms": text(
    "Realms of generated DNSEntries, separated by commas (annotation dns.gardener.cloud/realms), where the Service or Ingress names none. Default: none.",
  ),
  "target-owner-id": text(
    "Owner id of the records of Services and Ingresses, whatever they say; a DNSOwner switches it on. Default: what the annotation dns.gardener.cloud/owner-id of the object says, else --owner.",
  ),
  "target-set-ignore-owners": flag(
    "Generated DNSEntries in --target-namespace use the DNSProviders of that namespace. false = those of the namespace of their Service or Ingress, if it is in the same cluster.",
    { default: "true" },
  ),
  "target-creator-label-name": text(
    "Name of a label of new generated DNSEntries whose value is --target-creator-label-value.",
    { default: "creator" },
  ),
  "target-creator-label-value": text("Value of that label. Default: there is no such label."),
  "disable-namespace-restriction": flag(
    "A DNSProvider serves the objects of all namespaces, and not those of its own alone. Whoever may write objects in any namespace gets names in its zones.",
  ),
  "live-check": integer(
    'Ask all servers of the zone for what each DNSEntry and DNSEndpoint has published, and show it as the condition Live, within this many queries a minute. 0 = only objects with the annotation zonekeeper.dev/live-check: "true", at 60.',
    { default: "0", unit: "queries a minute", min: 0, max: 60_000 },
  ),
  "lookup-servers": list(
    "Name servers that look up host names which objects list as targets: an IP address, with :port if it is not 53. Default: those of the system.",
  ),
  "dns-class": text(
    "Classes of the objects that are served (annotation dns.gardener.cloud/class), separated by commas. DNSProviders, DNSEntries and DNSOwners of the others are taken into the first.",
    { default: "gardendns" },
  ),
  ttl: integer("TTL of records whose object names no TTL.", {
    default: "300",
    unit: "seconds",
    min: 1,
    max: 2_147_483_647,
  }),
  policy: choice(
    ["sync", "upsert-only", "create-only"],
    "What may be done to our own records: everything; no removals; nothing but creations.",
    { default: "sync" },
  ),
  "no-targets-grace": duration(
    "How long the records of an object stay that is alive and lists their name, but has lost every address in its status. Counted by the present leader from when it first saw it; a restart begins anew. The removals pass the fuse. Default: for ever.",
    { min: 1000, max: YEAR_MS },
  ),
});

/** How records are published. */
export interface PublishConfig extends ClassConfig {
  /** Seconds, for records whose object wishes none. */
  readonly ttlSeconds: number;
  readonly policy: "sync" | "upsert-only" | "create-only";
  readonly dryRun: boolean;
  /** How sources that can do both publish; null = each as its row says. */
  readonly publishing: "entries" | "direct" | null;
  /** Whether objects that are published directly get their state in an annotation. */
  readonly statusAnnotation: boolean;
  /** Queries for the condition Live of all objects; 0 = annotated objects only. */
  readonly liveQueriesPerMinute: number;
  /** `address:port` of servers that look up host names; empty = those of the system. */
  readonly lookupServers: readonly string[];
  /**
   * Milliseconds after which a live object's name without any address is given up; null = never
   * (Z-4).
   */
  readonly noTargetsGraceMs: number | null;
  /** Names that Services and Ingresses do not get; `*.x` = each name one label below x. */
  readonly excludedDomains: readonly DnsName[];
  /** Addresses of load balancers in them are not published. */
  readonly excludedTargetNets: readonly AddressNet[];
  /** Whose ServiceEntries are published without the annotation. */
  readonly serviceEntryNamespaces: readonly string[];
  /** Ids of zones that no DNSProvider serves. */
  readonly blockedZones: readonly string[];
  /** Private addresses go into public zones, too. */
  readonly allowsPrivateTargets: boolean;
  /** The one namespace that DNSEntries are generated in; null = that of the object. */
  readonly targetNamespace: string | null;
  readonly marks: EntryMarks;
  /** Of the records of Services and Ingresses; null = as they say. */
  readonly targetOwnerId: string | null;
  /** Whether a DNSProvider serves objects of other namespaces. */
  readonly anyNamespace: boolean;
  readonly pluginOptions: PluginOptions;
  /** What flags of external-dns say of sources; absent = there are none. */
  readonly externalDns?: ExternalDnsRules;
}

/** The publishing options. */
export function readPublish(reader: OptionReader): PublishConfig {
  const { options } = reader;
  return {
    ...readClasses(options),
    ttlSeconds: options.number("ttl"),
    policy: options.choice("policy", ["sync", "upsert-only", "create-only"]),
    dryRun: options.flag("dry-run"),
    publishing:
      options.text("publish") === null ? null : options.choice("publish", ["entries", "direct"]),
    statusAnnotation: !options.flag("omit-status-annotation"),
    liveQueriesPerMinute: options.number("live-check"),
    lookupServers: reader.each("lookup-servers", lookupServer),
    noTargetsGraceMs: options.optionalNumber("no-targets-grace"),
    excludedDomains: reader.each("exclude-domains", quoting("is not a domain", parseDnsName)),
    excludedTargetNets: reader.each(
      "exclude-target-net",
      quoting("is not a network", parseAddressNet),
    ),
    serviceEntryNamespaces: reader.each("serviceentry-namespaces", namespaceName),
    blockedZones: reader.each("blocked-zone", zoneId),
    allowsPrivateTargets: options.flag("allow-private-targets"),
    targetNamespace: reader.one("target-namespace", namespaceName),
    marks: readMarks(reader),
    targetOwnerId: reader.one("target-owner-id", ownerId),
    anyNamespace: options.flag("disable-namespace-restriction"),
    pluginOptions: options.pluginOptions(),
  };
}

/** Without a value there is no label. */
function readMarks(reader: OptionReader): EntryMarks {
  const { options } = reader;
  const marks = {
    realms: options.text("target-realms"),
    ignoreOwners: options.flag("target-set-ignore-owners"),
  };
  const value = reader.one("target-creator-label-value", labelValue);
  if (options.text("target-creator-label-value") === null) return { ...marks, labels: {} };
  const key = reader.one("target-creator-label-name", labelKey);
  return { ...marks, labels: key === null || value === null ? {} : { [key]: value } };
}

const DNS_PORT = 53;

/** `192.0.2.53:53`; IPv6 in brackets. */
export const lookupServer: ReadText<string> = (text) => {
  const server = parseHostPort(text, DNS_PORT);
  if (server === null || !isIpAddress(server.host))
    return fail(
      `${JSON.stringify(text)} is not the address of a server; write 192.0.2.53 or 192.0.2.53:53`,
    );
  const host = server.host.includes(":") ? `[${server.host}]` : server.host;
  return ok(`${host}:${server.port}`);
};

/** What matches is taken as it is; the rest is refused in these words. */
const where = (isRight: (text: string) => boolean, what: string): ReadText<string> => {
  return (text) => (isRight(text) ? ok(text) : fail(`${JSON.stringify(text)} ${what}`));
};

const labelKey = where(isQualifiedName, `is no key of a label: ${QUALIFIED_NAME_DETAIL}`);
const labelValue = where(isLabelValue, `is no value of a label: ${LABEL_VALUE_DETAIL}`);
/** It becomes `spec.ownerId` of entries, and no DNSOwner can switch another one on. */
const ownerId = where(isOwnerId, `is no owner id: ${OWNER_ID_FORM}`);
/** A pattern would block nothing. */
const zoneId = where(
  (zone) => !/[*?]/.test(zone),
  "is no id of a zone, and patterns are not read: write each id as status.zones of a DNSProvider shows it",
);

/** Classes of one process. */
export interface ClassConfig {
  /** Of DNSProviders, DNSEntries and DNSOwners. */
  readonly dnsClasses: DnsClasses;
  /** Of the objects that sources read. */
  readonly sourceClasses: DnsClasses;
  /** Of DNSEntries that are generated. */
  readonly targetClass: string;
}

/** The class options, which have no problems. */
export function readClasses(options: ResolvedOptions): ClassConfig {
  const dnsClasses = classesOf(options.needText("dns-class"));
  const sources = options.text("source-dns-class");
  const sourceClasses = sources === null ? dnsClasses : classesOf(sources);
  const targetClass = options.text("dns-target-class")?.trim() ?? sourceClasses[0];
  return { dnsClasses, sourceClasses, targetClass };
}

/** Sorted as the options are. */
export function classProblems(options: ResolvedOptions): readonly Problem[] {
  const lists = ["dns-class", "source-dns-class", "dns-target-class"].flatMap((name) => {
    const text = options.text(name);
    if (text === null) return [];
    const items = name === "dns-target-class" ? [text.trim()] : text.split(",").map(trimmed);
    return items
      .filter((item) => !isClass(item))
      .map((item) => invalidOption(name, `${JSON.stringify(item)} is no class: ${CLASS_FORM}`));
  });
  return lists.length > 0 ? lists : targetProblems(readClasses(options));
}

/** Of `run`, which may copy entries. */
export function runClassProblems(options: ResolvedOptions): readonly Problem[] {
  const problems = classProblems(options);
  return problems.length > 0 ? problems : copyProblems(options);
}

/**
 * Entries would be copied from one class of a cluster into the same class of it. Two kubeconfigs of
 * one cluster are found when it is reached.
 */
function copyProblems(options: ResolvedOptions): readonly Problem[] {
  const { sourceClasses, targetClass } = readClasses(options);
  const chosen = options.list("controllers");
  const copying = options.plugIns.controllers.find((one) => one.copiesEntries);
  if (copying === undefined || !chosen.includes(copying.name)) return [];
  if (options.text("target") !== null || !sourceClasses.includes(targetClass)) return [];
  const message = `${copying.name} copies entries of class ${sourceClasses.join(", ")} into class ${targetClass} of the same cluster: give --target, or another --dns-target-class or --source-dns-class`;
  return [{ code: "ConflictingOptions", subject: "--controllers", message }];
}

/** Entries of such a class would be taken into the main class, and made anew. */
function targetProblems({ dnsClasses, targetClass }: ClassConfig): readonly Problem[] {
  const [main, ...others] = dnsClasses;
  if (targetClass === main || !others.includes(targetClass)) return [];
  const message = `${targetClass} is a further class of --dns-class, whose objects become ${main}; generate entries of ${main}, or of a class that this process does not serve`;
  return [{ code: "ConflictingOptions", subject: "--dns-target-class", message }];
}

function classesOf(text: string): DnsClasses {
  const [main = "", ...others] = [...new Set(text.split(",").map(trimmed))];
  return [main, ...others];
}

function trimmed(text: string): string {
  return text.trim();
}
