/**
 * Every annotation of ours, of Gardener's and of external-dns that an object may have, and what
 * becomes of it: nothing is taken without effect or word. docs/reference/annotations.md is made
 * from this table.
 */
import { FIELD_MANAGER, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { SOURCE_LABEL } from "./source-label.ts";

/** Comma list of names. */
export const NAMES_ANNOTATION = "dns.gardener.cloud/dnsnames";
/** A routing policy as JSON, for every name of the object. */
export const ROUTING_ANNOTATION = "dns.gardener.cloud/routing-policy";
/** Properties of its record sets as JSON, for every name of the object. */
export const PROPERTIES_ANNOTATION = "zonekeeper.dev/properties";
/** On a DNSProvider: ids of further clusters whose namespace of its name it serves; `*` = all. */
export const CLUSTERS_ANNOTATION = "zonekeeper.dev/clusters";
/** On a Secret with kubeconfigs of further clusters: `observe` (default) or `active`. */
export const MODE_ANNOTATION = "zonekeeper.dev/mode";
/** The same: a number, the lower first. Of two clusters that want a new name the first has it. */
export const RANK_ANNOTATION = "zonekeeper.dev/rank";
/** The same: name of the region of its clusters. */
export const REGION_ANNOTATION = "zonekeeper.dev/region";
/** The same: what becomes of records when the Secret is deleted, `retain` (default) or `delete`. */
export const ON_REMOVAL_ANNOTATION = "zonekeeper.dev/on-removal";
/** `true` = the object is given up: its records, or an imported object itself. */
export const RELEASE_ANNOTATION = "zonekeeper.dev/release";
/** `true` on a ServiceEntry: its hosts are published. */
export const PUBLISH_ANNOTATION = "zonekeeper.dev/publish";
/** `true` on a ServiceEntry: its ports are published as SRV records, too. */
export const SRV_ANNOTATION = "zonekeeper.dev/srv";
/** What is not as wanted with an object that is published directly. */
export const STATUS_ANNOTATION = "zonekeeper.dev/status";
/** On a copy of a DNSEntry: clusters and classes that it was copied from, the first one first. */
export const COPIED_FROM_ANNOTATION = "zonekeeper.dev/copied-from";
/** On a generated DNSEntry and its copies: names that its object has instead, by commas. */
export const RENAMED_TO_ANNOTATION = "zonekeeper.dev/renamed-to";
/** The class from which a process with a list of classes took the object into its first one. */
export const FORMER_CLASS_ANNOTATION = "zonekeeper.dev/former-class";
/** On a DNSEntry with our finalizer: `type namespace/provider zone` of its first zone. */
export const ZONE_ANNOTATION = "zonekeeper.dev/zone";
/** On a DNSEntry that another set of controllers had: `owner class` of the one that took it. */
export const PUBLISHER_ANNOTATION = "zonekeeper.dev/publisher";
/** On a generated DNSEntry: the class of its source object, where it is not that of the entry. */
export const SOURCE_CLASS_ANNOTATION = "zonekeeper.dev/source-class";
/**
 * `true` on a generated DNSEntry of another cluster that somebody deletes: its source object lists
 * the name as before, and gets an entry anew.
 */
export const WANTED_AGAIN_ANNOTATION = "zonekeeper.dev/wanted-again";
/** Set to `true` on a DNSEntry or DNSEndpoint: its condition Live is asked for. */
export const LIVE_ANNOTATION = "zonekeeper.dev/live-check";
/** What a person asks for; it goes when it is done. */
export const OPERATION_ANNOTATION = "gardener.cloud/operation";
/** The one operation. */
export const RECONCILE = "reconcile";
/** Prefixes of external-dns: its own, and that before v0.22. */
export const EXTERNAL_DNS_PREFIXES = [
  "external-dns.kubernetes.io/",
  "external-dns.alpha.kubernetes.io/",
] as const;

/**
 * `works`: it has its effect. `holds`: it would change the object's records and has no meaning here
 * yet. `warns`: it has no effect, and everything goes on. `quiet`: other programs write or read it.
 */
export type AnnotationEffect = "works" | "holds" | "warns" | "quiet";

/** One row. */
export interface AnnotationRow {
  readonly key: string;
  readonly effect: AnnotationEffect;
  /** What it does, or what to do instead: a sentence without a full stop. */
  readonly doc: string;
  /** Values that ask for what happens anyway; `holds` and `warns` only. */
  readonly harmless?: readonly string[];
  /** The one value that it has; absent = it has others. */
  readonly only?: string;
  /** The kinds on which it has an effect; absent = all that it can be read on. */
  readonly kinds?: readonly string[];
  /** True = it has no effect on a DNSEntry that `dnsentry-source` copies, but on its copy. */
  readonly onCopy?: boolean;
  /** By kind on which it has no effect: what to do instead. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** Prefixes under which a key that is not in the table is told. */
export const WATCHED_PREFIXES = ["zonekeeper.dev/", "dns.gardener.cloud/"] as const;

const row = (effect: AnnotationEffect, key: string, doc: string): AnnotationRow => ({
  key,
  effect,
  doc,
});
const gardener = (effect: AnnotationEffect, key: string, doc: string): AnnotationRow =>
  row(effect, `dns.gardener.cloud/${key}`, doc);
const own = (key: string, doc: string): AnnotationRow => row("works", `zonekeeper.dev/${key}`, doc);
const externalDns = (key: string, doc: string): AnnotationRow =>
  row("quiet", `${EXTERNAL_DNS_PREFIXES[0]}${key}`, doc);
const NAMES_ELSEWHERE = `names go in \`${NAMES_ANNOTATION}\`; \`plan\` counts the objects, \`explain\` names them`;
const NO_LOOKUPS =
  "its targets are published as they are; write a DNSEntry to have host names looked up";

/** Of kinds whose hosts are published without being asked for. */
const PUBLISHED_HOSTS =
  "all its hosts are published; take a host off the object to have its record removed";

const PROPERTIES_ELSEWHERE = `properties go in \`${PROPERTIES_ANNOTATION}\``;

/** In the order of the page. */
export const ANNOTATION_KEYS: readonly AnnotationRow[] = [
  {
    ...own(
      "publish",
      "`true` on a ServiceEntry: its hosts are published; `false`: they are not, also in a namespace of --serviceentry-namespaces",
    ),
    kinds: ["ServiceEntry"],
  },
  {
    ...own(
      "srv",
      "`true` on a ServiceEntry that is published: SRV records of its ports, too: `_https._tcp.HOST` of the port `https`",
    ),
    kinds: ["ServiceEntry"],
  },
  own("paused", "its records are neither written nor removed until the annotation goes"),
  own("release", "its records are given up: markers go, data stays"),
  own("adopt", "records without a marker that are exactly as listed are taken over"),
  own(
    "merge",
    "`true`: its A, AAAA and NS records are a part of what objects of several clusters publish at the name; each of them says so",
  ),
  own("claim", "it takes over what the present holder permits"),
  own(
    "permit-claim-by-resource",
    "the object that may claim its records, or have others at and around the same names",
  ),
  own("permit-claim-by-owner", "the owner id of the group of that object"),
  own(
    "clusters",
    "on a DNSProvider: ids of further clusters, separated by commas, whose namespace of the same name it serves; `*` is each",
  ),
  own(
    "mode",
    "on a Secret with kubeconfigs of further clusters: `active` publishes their objects; `observe`, the default, only tells in `zonekeeper plan` what would be",
  ),
  own(
    "rank",
    "on such a Secret: a number up to 9999; of two clusters that want a new name, the lower one has it; also of the election, by `--region`",
  ),
  own("region", "on such a Secret: the region of its clusters, for `--region`"),
  own(
    "on-removal",
    "on such a Secret: `delete` removes the records of its clusters five minutes after the Secret was deleted; `retain`, the default, keeps them",
  ),
  own("shared-names", "on a DNSProvider: `true` lets all namespaces share its names"),
  own(
    "allow-delegation",
    "on a DNSProvider: names, separated by commas, at which NS, DS and DNAME may take names of others, and wildcards or `_…` names be among them",
  ),
  own(
    "live-check",
    "on a DNSEntry or DNSEndpoint: `true` asks all servers of the zone for its records, for the condition Live",
  ),
  own(
    "properties",
    'JSON with what its records have besides plain DNS, such as `{"proxied":"true"}`; the [page of the provider](providers.md) has the names',
  ),
  own("same-zone-as", "on a DNSProvider: younger ones that lead into the same zones"),
  own("other-zone-than", "on a DNSProvider: younger ones that lead into other zones of equal apex"),
  own("copied-from", "on a copy of a DNSEntry: where it comes from; it is not copied there again"),
  own(
    "renamed-to",
    "on a generated DNSEntry, and on a copy of it: names that its object has instead; it is deleted when they are published",
  ),
  own(
    "source-class",
    "on a generated DNSEntry: the class of its source object, where it has another one than the entry",
  ),
  own(
    "wanted-again",
    "written on a generated DNSEntry of another cluster that somebody deletes: its source object lists the name as before, so the record stays for the entry that is made anew",
  ),
  own(
    "former-class",
    "written where `--dns-class` is a list: the class from which the object was taken into the first one",
  ),
  own(
    "zone",
    "written on a DNSEntry with its finalizer: the zone that its record may be in, until its status says it; one that a person writes counts where that DNSProvider may serve the entry",
  ),
  own(
    "publisher",
    "written on a DNSEntry that comes from another set of controllers: the owner id of the set that has taken it, to which the former one hands the record over",
  ),
  own(
    "status",
    "written with `--publish direct` while something of the object is not as wanted, and taken away afterwards",
  ),
  {
    ...gardener("works", "dnsnames", "names to publish, separated by commas"),
    instead: {
      DNSEndpoint: "names go in spec.endpoints",
      DNSEntry: "its name is spec.dnsName",
      HTTPRoute: PUBLISHED_HOSTS,
      GRPCRoute: PUBLISHED_HOSTS,
      TLSRoute: PUBLISHED_HOSTS,
      TCPRoute: PUBLISHED_HOSTS,
      UDPRoute: PUBLISHED_HOSTS,
      ServiceEntry: `its hosts are published with ${PUBLISH_ANNOTATION}`,
    },
  },
  {
    ...gardener(
      "works",
      "ttl",
      "seconds, on a DNSEntry without spec.ttl, too; without it, or with 0, a Service or Ingress has no preference",
    ),
    instead: { DNSEndpoint: "seconds go in recordTTL of spec.endpoints" },
  },
  gardener("works", "class", "which controllers serve the object"),
  gardener(
    "works",
    "ignore",
    "`true` and `reconcile`: its records stay as they are until it is deleted; `full`: they stay even then, without markers",
  ),
  gardener("works", "target-hard-ignore", "`true` on a DNSEntry: as `ignore: full`"),
  gardener(
    "works",
    "owner-id",
    "owner id of the object's records, which a DNSOwner switches on; on a DNSProvider: of entries that name none",
  ),
  gardener(
    "works",
    "routing-policy",
    "JSON with `type`, `setIdentifier` and `parameters`: its names are members of that policy",
  ),
  gardener(
    "works",
    "realms",
    "names, separated by commas: an object uses DNSProviders of one of its realms; without it, those without",
  ),
  {
    ...gardener(
      "works",
      "cname-lookup-interval",
      "seconds between look-ups of host names as targets",
    ),
    instead: { DNSEndpoint: NO_LOOKUPS },
  },
  {
    ...gardener(
      "works",
      "resolve-targets-to-addresses",
      "`true`: one host name as target is looked up, too, and its addresses are published",
    ),
    instead: { DNSEndpoint: NO_LOOKUPS },
  },
  {
    ...gardener(
      "warns",
      "ip-stack",
      "it concerns alias records of AWS, which are of both kinds of addresses here",
    ),
    harmless: ["ipv4"],
  },
  gardener("holds", "targets", "targets come from the status; write a DNSEntry for others"),
  gardener("holds", "ingress", "targets come from the status; write a DNSEntry for others"),
  {
    ...gardener(
      "works",
      "not-rate-limited",
      "`true` on a DNSEntry: no `rateLimit` of a provider counts",
    ),
    onCopy: true,
  },
  gardener("warns", "remote-access", "there is no remote access server"),
  gardener("quiet", "target-entry", "written by Gardener's controllers"),
  gardener("quiet", "validation-error", "written by Gardener's controllers"),
  gardener("quiet", "secretResourceVersion", "written by Gardener's controllers"),
  {
    ...row(
      "works",
      OPERATION_ANNOTATION,
      "`reconcile` on a DNSEntry or DNSProvider: it is looked at anew, once",
    ),
    only: RECONCILE,
    onCopy: true,
    kinds: ["DNSEntry", "DNSProvider"],
  },
  externalDns("hostname", `${NAMES_ELSEWHERE}; on routes of Gateway API it adds names`),
  externalDns("internal-hostname", NAMES_ELSEWHERE),
  externalDns(
    "target",
    "targets come from the status; write a DNSEntry for others; on a Gateway or ListenerSet it has the targets of routes",
  ),
  externalDns(
    "ttl",
    "seconds go in `dns.gardener.cloud/ttl`; on routes of Gateway API and kinds of Istio it counts where that one is absent",
  ),
  externalDns("controller", "a class goes in `dns.gardener.cloud/class`"),
  externalDns("ingress-hostname-source", `the chosen hosts go in \`${NAMES_ANNOTATION}\``),
  externalDns("set-identifier", "a routing policy goes in `dns.gardener.cloud/routing-policy`"),
  externalDns(
    "alias",
    "an alias is asked for in `zonekeeper.dev/properties`, or in providerSpecific of a DNSEndpoint",
  ),
  externalDns("aws-evaluate-target-health", PROPERTIES_ELSEWHERE),
  externalDns("cloudflare-proxied", PROPERTIES_ELSEWHERE),
  externalDns("access", "a Service of type NodePort is not read; write a DNSEntry"),
  externalDns("endpoints-type", "a headless Service is not read; write a DNSEntry"),
];

const BY_KEY = new Map(ANNOTATION_KEYS.map((one) => [one.key, one]));

/** The row of a key, of external-dns under either prefix; null = it is in no row. */
export function annotationRow(key: string): AnnotationRow | null {
  const [own, former] = EXTERNAL_DNS_PREFIXES;
  const called = key.startsWith(former) ? `${own}${key.slice(former.length)}` : key;
  return BY_KEY.get(called) ?? null;
}

/** What to do instead of annotating an object of this kind so; null = it has an effect. */
export function insteadOf(kind: string, key: string): string | null {
  return annotationRow(key)?.instead?.[kind] ?? null;
}

/**
 * A generated DNSEntry whose object has other names instead; not one that only may. On an entry
 * that a person wrote, also by copying a generated one, the annotation says nothing (Z-25).
 */
export function isRenamed({ metadata }: KubeObject): boolean {
  const { annotations, labels, specManagers = [] } = metadata;
  const isUnedited = specManagers.every((manager) => manager === FIELD_MANAGER);
  const isGenerated = isUnedited && labels?.[SOURCE_LABEL] !== undefined;
  return isGenerated && /^[^?]/.test(annotations?.[RENAMED_TO_ANNOTATION] ?? "");
}
