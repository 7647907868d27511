/**
 * What keeps zones from harm: the fuse, the dry run, pauses, the Lease and the fence. Rows of the
 * table, and as they are read. Pure.
 */
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { FUSE_LIMITS, type FuseLimits } from "../model/fuse-limits.ts";
import { named, namespaceName, type OptionReader, quoting } from "./option-reader.ts";
import { BOTH, choice, duration, flag, integer, list, RUN, rows, text } from "./option-row.ts";
import type { ResolvedOptions } from "./resolved-options.ts";

const HOUR_MS = 3_600_000;

const count = (limit: number, doc: string, defaultFor = {}) =>
  integer(doc, { default: String(limit), min: 0, max: 1_000_000_000, defaultFor });

const share = (part: number, doc: string) =>
  integer(doc, { default: String(Math.round(100 * part)), unit: "percent", min: 0, max: 100 });

/** In the order of the help text. */
export const FUSE_OPTIONS = rows(BOTH, {
  "fuse-strong": count(
    FUSE_LIMITS.strong,
    "The fuse trips above so many removals of an hour, in a zone and in a namespace; where the share below is more, above that.",
    { dev: "1000" },
  ),
  "fuse-strong-share": share(
    FUSE_LIMITS.strongShare,
    "The part of a zone's record sets, at the start of the hour, that may be removed in an hour.",
  ),
  "fuse-namespace-share": share(
    FUSE_LIMITS.namespaceShare,
    "The part of a namespace's record sets that may be removed in an hour.",
  ),
  "fuse-weak": count(
    FUSE_LIMITS.weak,
    "As --fuse-strong, for removals whose cause was not watched, such as an object that is missing after a restart.",
  ),
  "fuse-weak-share": share(
    FUSE_LIMITS.weakShare,
    "The part of a zone's record sets that may be removed so in an hour.",
  ),
  "fuse-free": count(
    FUSE_LIMITS.free,
    "A namespace with no more removals in the hour passes although its zone trips, while fewer than ten namespaces remove.",
  ),
  "fuse-whole-kind": flag(
    "Where three or more objects that are all of their kind in a cluster are deleted within ten seconds, and not with their namespace, removals that are not sent when the last of them ends wait as a set; no deletion waits for later ones. false = they count as others.",
    { default: String(FUSE_LIMITS.holdsWholeKinds), defaultFor: { dev: "false" } },
  ),
  "fuse-ephemeral-namespaces": list(
    "Namespaces of previews, by name; * at the end stands for any rest, as in pr-*. Removals there whose cause was watched are not counted. Default: none.",
  ),
  "dry-run": flag(
    "Plan and explain, beside the instance that writes: writes to no zone and to no cluster, and needs no Lease. Enforced below everything: a writing call is impossible.",
  ),
  pause: flag(
    "Start with all zones paused: they are read and planned, nothing is written until zonekeeper resume --all.",
  ),
  "paused-zones": list("Start with these zones paused, each until zonekeeper resume --zone NAME."),
});

/** The same. */
export const LEASE_OPTIONS = rows(RUN, {
  "lease-name": text("Name of the Lease that decides which replica works.", {
    aliases: ["lease-resource-name"],
    default: "zonekeeper",
  }),
  "lease-namespace": text(
    "Namespace of the Lease. Default: the namespace of the kubeconfig's context or of the pod, else default.",
  ),
  election: text(
    "A name for this election, which the fences of zones show in place of the Lease: with it the Lease may move to another cluster, namespace or name (docs/guides/two-installations.md). Lower case letters, digits, - and dots. Default: the id of the Lease's cluster, its namespace and its name.",
  ),
  "lease-duration": duration(
    "How long a Lease is good without renewal. Longer than lease-renew-deadline.",
    { default: "15s", min: 1000, max: HOUR_MS },
  ),
  "lease-renew-deadline": duration(
    "How long the holder tries to renew before it stops working. Longer than twice lease-retry-period.",
    { default: "10s", min: 500, max: HOUR_MS },
  ),
  "lease-retry-period": duration(
    "How long to wait between two tries; who stands by looks four times as often.",
    { default: "2s", min: 100, max: HOUR_MS },
  ),
  rank: integer(
    "Who should lead among replicas that could: the lower rank, as of the region of a canary. Who stands by with a lower rank than the leader's, and has been well for --hand-back-after, gets the lead once. Default: the lowest zonekeeper.dev/rank of the clusters of --region, else after all that have one.",
    { min: 0, max: 9999 },
  ),
  region: text(
    "The region in which this process runs, as zonekeeper.dev/region of the Secrets of clusters has it: without --rank its rank is the lowest of the clusters there.",
  ),
  "hand-back-after": duration(
    "How long a replica that is preferred to the leader has to be well, with a plan that changes nothing, before it asks for the lead.",
    { default: "5m", min: 1000, max: 24 * HOUR_MS },
  ),
  "omit-lease": flag("Work without a Lease. Only where no second replica can run."),
  fence: choice(
    ["auto", "shared", "off"],
    "Whether each zone gets a TXT record <hash>._zonekeeper-fence.<apex> that every write compares, so that a stale replica, or another installation with this owner id, cannot write. auto = where the provider can compare and lets it be written; else, and with off, writing stops early enough before the Lease ends. shared = other installations with this owner id may write, if they say shared, too; for merged names.",
    { default: "auto", commands: BOTH },
  ),
});

/** How the fuse is set. */
export interface FuseConfig {
  readonly limits: FuseLimits;
  /** Names of namespaces; one that ends with `*` means all that begin so. */
  readonly ephemeralNamespaces: readonly string[];
}

/** What is paused at the start, until somebody resumes it. */
export interface PauseConfig {
  readonly all: boolean;
  /** Apexes. */
  readonly zones: readonly DnsName[];
}

/** How stale writers are kept off (Z-17). */
export type FenceConfig = "auto" | "shared" | "off";

/** The Lease election. */
export interface LeaseConfig {
  /** Of the election, in fences; null = that of the Lease. */
  readonly election: string | null;
  readonly name: string;
  /** Null = the namespace that the credentials name, else `default`. */
  readonly namespace: string | null;
  readonly durationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** The lower one is preferred; null = that of its region. */
  readonly rank: number | null;
  /** Null = none. */
  readonly region: string | null;
  /** How long who is preferred has to be well before it asks for the lead. */
  readonly handBackAfterMs: number;
}

/** What `dev` and `run` have of them. */
export interface SafetyConfig {
  readonly fuse: FuseConfig;
  readonly pause: PauseConfig;
  readonly fence: FenceConfig;
}

/**
 * A paused zone without a name is refused: a pause that pauses nothing would be the worst of
 * mistakes.
 */
export function readSafety(reader: OptionReader): SafetyConfig {
  const { options } = reader;
  const zones = reader.each("paused-zones", quoting("is not a zone name", parseDnsName));
  return {
    fuse: readFuse(options),
    pause: { all: options.flag("pause"), zones },
    fence: options.choice("fence", ["auto", "shared", "off"]),
  };
}

function readFuse(options: ResolvedOptions): FuseConfig {
  const part = (name: string) => options.number(name) / 100;
  return {
    limits: {
      strong: options.number("fuse-strong"),
      strongShare: part("fuse-strong-share"),
      namespaceShare: part("fuse-namespace-share"),
      weak: options.number("fuse-weak"),
      weakShare: part("fuse-weak-share"),
      free: options.number("fuse-free"),
      holdsWholeKinds: options.flag("fuse-whole-kind"),
    },
    ephemeralNamespaces: options.list("fuse-ephemeral-namespaces"),
  };
}

const leaseName = named("is no name of a Lease", "subdomain");
const regionName = named("is no name of a region", "subdomain");
const electionName = named("is no name of an election", "subdomain");

/**
 * Null = no election. A holder must have stopped before another may begin, and one renewal may
 * fail.
 */
export function readLease(reader: OptionReader): LeaseConfig | null {
  const { options } = reader;
  const election = reader.one("election", electionName);
  if (options.flag("omit-lease")) {
    if (election !== null) reader.conflict("election", "names an election, so omit --omit-lease");
    return null;
  }
  const durationMs = options.number("lease-duration");
  const renewDeadlineMs = options.number("lease-renew-deadline");
  const retryPeriodMs = options.number("lease-retry-period");
  if (durationMs <= renewDeadlineMs)
    reader.conflict("lease-duration", longerThan("--lease-renew-deadline"));
  if (renewDeadlineMs <= 2 * retryPeriodMs)
    reader.conflict("lease-renew-deadline", longerThan("twice --lease-retry-period"));
  return {
    election,
    name: reader.one("lease-name", leaseName) ?? "",
    namespace: reader.one("lease-namespace", namespaceName),
    durationMs,
    renewDeadlineMs,
    retryPeriodMs,
    rank: options.optionalNumber("rank"),
    region: reader.one("region", regionName),
    handBackAfterMs: options.number("hand-back-after"),
  };
}

function longerThan(smaller: string): string {
  return `must be longer than ${smaller}; raise the one or lower the other`;
}
