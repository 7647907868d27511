/** In which group of a help text an option is, and which ones the short page shows. Pure. */

/** The first page shows this group alone where a command has others. */
export const ESSENTIAL = "Options:";

/** The first group whose pattern fits; the last one fits all. */
const GROUPS: readonly (readonly [string, RegExp])[] = [
  [
    "Clusters:",
    /^(kubeconfig\..+|target(\..+|-namespace|)|providers.*|provider-trusted.*|namespace|cluster-alias|(accepted-)?maintainers?|force-crd-update|source-cluster|config-cluster|clusters-.*)$/,
  ],
  ["What comes in:", /^import(-ports|-domains|-exclude|)$/],
  [
    "What is published:",
    /^(dns-class|source-dns-class|dns-target-class|ttl|no-targets-grace|adopt|controllers|provider-types|policy|publish|serviceentry-namespaces|plugin|omit-status-annotation|exclude-(domains|target-net)|blocked-zone|allow-private-targets|disable-namespace-restriction|target-(realms|owner-id|set|creator).*|live-check|lookup-servers)$/,
  ],
  ["Ownership records:", /^(registry|noop-owns|txt-.*|marker-.*)$/],
  ["Safety:", /^(fuse-.*|fence|pause|paused-zones)$/],
  ["Lease:", /^(lease-.*|omit-lease|election|rank|region|hand-back-after)$/],
  ["Embedded servers:", /^(listen|dns-.*port|secondary)$/],
  [
    "Health, metrics, API and NOTIFY:",
    /^(http-address|notify-address|page-origin|resolvers|api-(users|port|token-file|tls-.*))$/,
  ],
  ["Log:", /^log-/],
  ["Coming from other tools:", /^(dialect|set)$/],
  [ESSENTIAL, /./],
];

/** Title of the group. */
export function groupOf(option: string): string {
  return GROUPS.find(([, pattern]) => pattern.test(option))?.[0] ?? ESSENTIAL;
}

/** In the order of the help text: what everybody needs comes first. */
export const GROUP_TITLES: readonly string[] = [
  ESSENTIAL,
  ...GROUPS.map(([title]) => title).filter((title) => title !== ESSENTIAL),
];
