/**
 * Options of Gardener's DNS controller manager that have no row in options-table.ts under their own
 * name: which of ours each one is, or why it has no effect here. Rows only; gardener-dialect.ts
 * reads them.
 */
import type { OptionType, PlugIns } from "./option.ts";

/** Types of DNSProviders, and until v0.5 the controllers that served one of them each. */
export const GARDENER_TYPES: readonly string[] = [
  "alicloud-dns",
  "aws-route53",
  "azure-dns",
  "azure-private-dns",
  "cloudflare-dns",
  "google-clouddns",
  "infoblox-dns",
  "netlify-dns",
  "openstack-designate",
  "powerdns",
  "remote",
  "rfc2136",
];

/** Controllers that serve zones. */
export const PROVIDER_SCOPES: readonly string[] = ["compound", ...GARDENER_TYPES];

/** What is set for the accounts of one type. */
export const ACCOUNT_SCOPES: readonly string[] = [
  ...PROVIDER_SCOPES,
  ...GARDENER_TYPES.map((type) => `compound.${type}`),
];

/** Controllers that make DNSEntries for other objects. */
export function sourceScopes({ controllers }: PlugIns): readonly string[] {
  const here = controllers.filter(({ isGardeners }) => isGardeners).map(({ name }) => name);
  return [...new Set([...here, ...Object.keys(ABSENT)])];
}

/** Scopes of what is not here, and why nothing given for them has an effect. */
export const ABSENT: Readonly<Record<string, string>> = {
  "dnsprovider-replication": "there is no controller dnsprovider-replication here",
  "istio-gateways-dns":
    "there is no controller istio-gateways-dns here; write a DNSEntry for each host, or annotate the Service of the load balancer",
  "k8s-gateways-dns":
    "there is no controller k8s-gateways-dns here; gateway-httproute publishes the hosts of HTTPRoutes",
  "watch-gateways-crds": "definitions that are installed later are found without it",
};

/**
 * `accounts` = `providers`, and what a controller sets for one type; `annotation` = the controller
 * of DNSAnnotations.
 */
export type ScopeGroup = "providers" | "accounts" | "sources" | "annotation";

/** One option of Gardener's. */
export interface GardenerOption {
  /** Without scope: `dns-delay`. */
  readonly name: string;
  /** May be given as `--name`. */
  readonly isPlain: boolean;
  /** May be given as `--<scope>.name`. */
  readonly scopes: readonly ScopeGroup[];
  /** How its value is read before anything is made of it. */
  readonly type: OptionType;
  /** Our option that it is; null = it has no effect. */
  readonly to: string | null;
  /** Why it has no effect, or what differs; empty = nothing differs. */
  readonly why: string;
}

const POOLS =
  "there are no pools of workers to size: each kind has one queue, at the pace that accounts allow";
const RESYNC =
  "changes are watched, and zones are read again at times of their own: there is no period to set";
const CACHE = "what is known of a zone is always kept, and checked by its serial or its listing";
const BUDGET = "each account has a budget of calls that adapts to what its API allows";
const DEFINITIONS = "a definition that is there and is not ours is left as it is in any case";
const REMOTE = "there is no remote access server here; start a process for each cluster";

type Scopes = readonly ScopeGroup[];

const PROVIDERS: Scopes = ["providers"];
const ACCOUNTS: Scopes = ["accounts"];
const SOURCES: Scopes = ["sources"];
const ALL: Scopes = ["providers", "sources"];
type Row = readonly [name: string, type: OptionType, why: string];

const ignored = (scopes: Scopes, rows: readonly Row[]): readonly GardenerOption[] =>
  rows.map(([name, type, why]) => ({ name, isPlain: true, scopes, type, to: null, why }));

const mapped = (name: string, to: string, more: Partial<GardenerOption> = {}): GardenerOption => ({
  ...{ name, to, isPlain: true, scopes: [], type: "text", why: "" },
  ...more,
});

/** What generated entries carry. */
const OF_ENTRIES: readonly string[] = [
  "target-realms",
  "target-owner-id",
  "target-creator-label-name",
  "target-creator-label-value",
];

/** Sorted by what they are about. */
export const GARDENER_OPTIONS: readonly GardenerOption[] = [
  mapped("name", "lease-name"),
  ...["kubeconfig", "target", "providers"].map((cluster) =>
    mapped(`${cluster}.migration-ids`, "cluster-alias", { type: "list" }),
  ),
  // These are ours under the same name; only their scopes are Gardener's.
  mapped("dns-class", "dns-class", { isPlain: false, scopes: PROVIDERS }),
  mapped("dns-class", "source-dns-class", { isPlain: false, scopes: SOURCES }),
  mapped("dns-target-class", "dns-target-class", { isPlain: false, scopes: SOURCES }),
  mapped("provider-types", "provider-types", {
    ...{ isPlain: false, scopes: PROVIDERS, type: "list" },
  }),
  mapped("identifier", "owner", { isPlain: false, scopes: PROVIDERS }),
  mapped("ttl", "ttl", { isPlain: false, scopes: PROVIDERS, type: "integer" }),
  mapped("dry-run", "dry-run", { isPlain: false, scopes: PROVIDERS, type: "flag" }),
  mapped("blocked-zone", "blocked-zone", { isPlain: false, scopes: ACCOUNTS, type: "list" }),
  mapped("exclude-domains", "exclude-domains", {
    ...{ isPlain: false, scopes: SOURCES, type: "list" },
  }),
  mapped("target-namespace", "target-namespace", { isPlain: false, scopes: SOURCES }),
  ...OF_ENTRIES.map((name) => mapped(name, name, { isPlain: false, scopes: SOURCES })),
  mapped("target-set-ignore-owners", "target-set-ignore-owners", {
    ...{ isPlain: false, scopes: SOURCES, type: "flag" },
  }),
  ...ignored(SOURCES, [
    ["key", "text", "Gardener's manager has it and never reads it"],
    ["target-name-prefix", "text", "names of entries follow from cluster, object and DNS name"],
    ["targets.pool.size", "integer", POOLS],
    ["httproutes.pool.size", "integer", POOLS],
    ["targetsources.pool.size", "integer", POOLS],
    ["virtualservices.pool.size", "integer", POOLS],
  ]),
  ...ignored(PROVIDERS, [
    [
      "disable-dnsname-validation",
      "flag",
      "names are always validated: no server would take those that are refused",
    ],
    ["lock-status-check-period", "duration", "DNSLocks are not known here"],
    [
      "max-metadata-record-deletions-per-reconciliation",
      "integer",
      "markers are written and removed with their records",
    ],
    ["remote-access-cacert", "text", REMOTE],
    ["remote-access-cakey", "text", REMOTE],
    ["remote-access-client-id", "text", REMOTE],
    ["remote-access-port", "integer", REMOTE],
    ["remote-access-server-secret-name", "text", REMOTE],
    ["zonepolicies.pool.size", "integer", POOLS],
    ["cache-dir", "text", `${CACHE}; --data is for counters and pauses`],
    ["cache-ttl", "integer", CACHE],
    ["disable-zone-state-caching", "flag", CACHE],
    [
      "dns-delay",
      "duration",
      "a change is sent at once, and changes that come close together go as one",
    ],
    ["dns.pool.resync-period", "duration", RESYNC],
    ["dns.pool.size", "integer", POOLS],
    ["ownerids.pool.size", "integer", POOLS],
    ["providers.pool.resync-period", "duration", RESYNC],
    ["providers.pool.size", "integer", POOLS],
    [
      "reschedule-delay",
      "duration",
      "records stay while a DNSProvider is away, and its return is watched",
    ],
    ["secrets.pool.size", "integer", POOLS],
    ["statistic.pool.size", "integer", POOLS],
  ]),
  ...ignored(ACCOUNTS, [
    ["advanced.batch-size", "integer", BUDGET],
    ["advanced.max-retries", "integer", BUDGET],
    ["ratelimiter.burst", "integer", BUDGET],
    ["ratelimiter.enabled", "flag", BUDGET],
    ["ratelimiter.qps", "integer", BUDGET],
  ]),
  ...ignored(["providers", "annotation"], [["setup", "integer", POOLS]]),
  ...ignored(
    [...ALL, "annotation"],
    [
      ["default.pool.size", "integer", POOLS],
      ["pool.size", "integer", POOLS],
    ],
  ),
  ...ignored(ALL, [["pool.resync-period", "duration", RESYNC]]),
  ...ignored(SOURCES, [["default.pool.resync-period", "duration", RESYNC]]),
  ...ignored(
    [],
    [
      ["kubeconfig.conditional-deploy-crds", "flag", DEFINITIONS],
      ["target.conditional-deploy-crds", "flag", DEFINITIONS],
      ["providers.conditional-deploy-crds", "flag", DEFINITIONS],
      ["enable-profiling", "flag", "node --cpu-prof writes a profile"],
      ["lease-resource-lock", "text", "the lock is always a Lease"],
      ["cpuprofile", "text", "node --cpu-prof writes a profile"],
      ["plugin-file", "text", "providers are built in, or reached by external-dns-webhook"],
      [
        "grace-period",
        "duration",
        "the program ends when its calls under way have ended, within seconds",
      ],
      [
        "namespace-local-access-only",
        "flag",
        "it is so already, unless --disable-namespace-restriction is given",
      ],
    ],
  ),
];

/** Empty by default there, and empty is then the same as not given; without scope. */
export const EMPTY_BY_DEFAULT: readonly string[] = [
  "bind-address-http",
  "providers",
  "target-realms",
];

/** Short forms, by the flag they stand for. */
export const SHORT_FORMS: Readonly<Record<string, string>> = {
  controllers: "c",
  "log-level": "D",
  "namespace-local-access-only": "n",
};
