/** Annotations under the prefixes that flags of external-dns name. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView, Lookup } from "@zonekeeper/kube/ports/cluster-view";
import { EXTERNAL_DNS_PREFIXES } from "../../model/annotation-keys.ts";
import type { ExternalDnsRules } from "../../model/external-dns-rules.ts";

/** Sources read both as they are. */
function areBoth(prefixes: readonly string[]): boolean {
  return EXTERNAL_DNS_PREFIXES.every((one) => prefixes.includes(one));
}

/** With the first prefix written as the sources read it, and without those that do not count. */
export function withPrefix(
  object: KubeObject,
  { prefixes }: Pick<ExternalDnsRules, "prefixes">,
): KubeObject {
  const [first = ""] = prefixes;
  const { annotations = {} } = object.metadata;
  const isOwn = (key: string): boolean => key.startsWith(first);
  const isRead = (key: string): boolean =>
    EXTERNAL_DNS_PREFIXES.some((prefix) => key.startsWith(prefix));
  // Most objects of a long list have neither, and are not copied.
  if (areBoth(prefixes) || !Object.keys(annotations).some((key) => isOwn(key) || isRead(key)))
    return object;
  const isFurther = (key: string): boolean => prefixes.some((prefix) => key.startsWith(prefix));
  const read = Object.entries(annotations).flatMap(([key, value]): [string, string][] => {
    if (isOwn(key)) return [[`${EXTERNAL_DNS_PREFIXES[0]}${key.slice(first.length)}`, value]];
    return isRead(key) && !isFurther(key) ? [] : [[key, value]];
  });
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(read) } };
}

/** Annotations by which an object has names, and what these answer. */
const DECIDING = ["target", "hostname", "internal-hostname"] as const;

/**
 * Deciding annotations under the other prefix of external-dns, where the one that counts has none.
 * A prefix that somebody made up is there to tell two programs apart, and leaves none unread.
 */
export function unreadKeys(
  { metadata: { annotations = {} } }: KubeObject,
  { prefixes }: Pick<ExternalDnsRules, "prefixes">,
): readonly string[] {
  const [first = ""] = prefixes;
  const other = EXTERNAL_DNS_PREFIXES.find((prefix) => prefix !== first) ?? "";
  const isKnown = EXTERNAL_DNS_PREFIXES.some((prefix) => prefix === first);
  if (prefixes.length > 1 || !isKnown) return [];
  const isGiven = (key: string): boolean => (annotations[key] ?? "").trim() !== "";
  return DECIDING.filter((name) => !isGiven(`${first}${name}`))
    .map((name) => `${other}${name}`)
    .filter(isGiven);
}

/** Gateways and Services are annotated as the objects themselves are; `onRead` hears of each. */
export function viewOf(
  view: ClusterView,
  rules: Pick<ExternalDnsRules, "prefixes">,
  onRead: (object: KubeObject) => void,
): ClusterView {
  if (areBoth(rules.prefixes)) return view;
  const one = (object: KubeObject): KubeObject => {
    onRead(object);
    return withPrefix(object, rules);
  };
  const all = (found: Lookup<readonly KubeObject[]>): typeof found =>
    found.state === "value" ? { ...found, value: found.value.map(one) } : found;
  return {
    clusterId: view.clusterId,
    get: (...asked) => {
      const found = view.get(...asked);
      return found.state === "value" ? { ...found, value: one(found.value) } : found;
    },
    list: (...asked) => all(view.list(...asked)),
    indexed: (...asked) => all(view.indexed(...asked)),
    state: (...asked) => view.state(...asked),
    trouble: (...asked) => view.trouble(...asked),
    newest: (...asked) => view.newest(...asked),
    subscribe: (...asked) => view.subscribe(...asked),
  };
}
