/**
 * Where Zonekeeper leaves another zone than external-dns, with the reason that
 * docs/guides/coming-from-external-dns.md gives for it. A difference that no row knows is a fault.
 */
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import { type Endpoint, type Located, NODES, type World } from "./worlds.ts";

/** A name at which both programs differ, as lines `ttl type values`. */
export interface Difference {
  readonly name: string;
  /** Before both of them ran. */
  readonly before: readonly string[];
  readonly expected: readonly string[];
  readonly actual: readonly string[];
  /** Objects that list the name, as they are and as they were. */
  readonly objects: readonly Located[];
  readonly formerly: readonly Located[];
  readonly zone: readonly Endpoint[];
}

/** A reason. */
interface Row {
  /** As the guide says it. */
  readonly why: string;
  readonly is: (difference: Difference) => boolean;
}

/** In the order of the guide; the first one that matches is the reason. */
export const DIFFERENCES: readonly Row[] = [
  {
    why: "A record with your owner id whose object nobody here has seen stays",
    is: ({ zone, name }) => zone.some((one) => isActual(one) && one.dnsName.endsWith(`-${name}`)),
  },
  {
    why: "A mistaken annotation keeps the names of its object as they are",
    is: ({ objects, formerly }) =>
      [...objects, ...formerly].some(({ object }) => annotated(object, "ttl") === "soon"),
  },
  {
    why: "An object that is given to another controller keeps its records",
    is: (one) => isKept(one) && one.objects.some(({ object }) => isOfOthers(object)),
  },
  {
    why: "Where two objects want the same values with other TTLs, the older one's counts",
    is: ({ expected, actual, objects }) =>
      objects.length > 1 && expected.map(withoutTtl).join() === actual.map(withoutTtl).join(),
  },
  {
    why: "A TTL that an object takes away stays",
    is: ({ expected, actual, formerly }) =>
      formerly.length > 0 && expected.map(withoutTtl).join() === actual.map(withoutTtl).join(),
  },
  {
    why: "Two endpoints of one DNSEndpoint with one name are joined whatever their TTLs",
    is: ({ objects }) => objects.some(hasTwoTtls),
  },
  {
    why: "An object that has another name instead keeps the former one until the new one is published",
    is: (one) =>
      one.formerly.some((was) => !one.objects.some(isSame(was))) && isOfThem(one, one.formerly),
  },
  {
    why: "An object without an address keeps the records of its names",
    is: (one) => isKept(one) && one.objects.some(hasNoAddress),
  },
  {
    why: "The object that has a name keeps it, where another one wants what cannot be beside it",
    is: (one) => one.objects.length > 1 && isOfThoseBefore(one),
  },
];

/** The zones before both programs ran, and after. */
export interface Zones {
  readonly before: readonly Endpoint[];
  readonly expected: readonly Endpoint[];
  readonly actual: readonly Endpoint[];
}

/** The differing names of a world, in one state of its cluster. */
export function differencesIn(
  world: World,
  [objects, formerly]: readonly [readonly Located[], readonly Located[]],
  zones: Zones,
): readonly Difference[] {
  const [before, expected, actual] = [zones.before, zones.expected, zones.actual].map((zone) =>
    byName(world, zone),
  );
  const names = new Set([...(expected?.keys() ?? []), ...(actual?.keys() ?? [])]);
  return [...names].sort().flatMap((name): readonly Difference[] => {
    const at = (zone: typeof actual) => zone?.get(name) ?? [];
    const sides = {
      before: at(before),
      expected: at(expected),
      actual: at(actual),
      zone: world.zone,
    };
    if (sides.expected.join() === sides.actual.join()) return [];
    const listing = (all: readonly Located[]) => all.filter(({ object }) => lists(object, name));
    return [{ name, ...sides, objects: listing(objects), formerly: listing(formerly) }];
  });
}

/**
 * All of it was there before, or is of objects that were, or of their kinds: these come first.
 * Where all went, it is of the first that came.
 */
function isOfThoseBefore(one: Difference): boolean {
  const stayed = one.objects.filter((now) => one.formerly.some(isSame(now)));
  const kinds = new Set(stayed.map(kindOf));
  const isFirst = (now: Located): boolean => stayed.length === 0 || kinds.has(kindOf(now));
  return isOfThem(one, one.objects.filter(isFirst));
}

function isOfThem({ before, expected, actual }: Difference, them: readonly Located[]): boolean {
  const known = JSON.stringify([before, expected, [...them, ...NODES].map(({ object }) => object)]);
  const values = actual.flatMap((line) => line.split(" ").slice(2));
  return values.every((value) => known.includes(value));
}

function kindOf({ object }: Located): string {
  return object.kind;
}

/** Nothing is here that was not there before, or that external-dns has not as well. */
function isKept({ before, expected, actual }: Difference): boolean {
  const known = new Set([...before, ...expected].flatMap((line) => withoutTtl(line).split(" ")));
  return actual.every((line) =>
    withoutTtl(line)
      .split(" ")
      .every((label) => known.has(label)),
  );
}

function withoutTtl(line: string): string {
  return line.replace(/^\d+ /, "");
}

function isSame({ object: { kind, metadata } }: Located) {
  return ({ object }: Located): boolean =>
    object.kind === kind &&
    object.metadata.name === metadata.name &&
    object.metadata.namespace === metadata.namespace;
}

/** The lines of each name; markers and texts are none. */
export function byName(
  { domain }: World,
  zone: readonly Endpoint[],
): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, string[]>();
  for (const { dnsName, recordType, targets, recordTTL = 0 } of zone) {
    if (!dnsName.endsWith(`.${domain}`) || recordType === "TXT") continue;
    const line = [recordTTL === 0 ? 300 : recordTTL, recordType, ...[...targets].sort()].join(" ");
    lines.set(dnsName, [...(lines.get(dnsName) ?? []), line].sort());
  }
  return lines;
}

/** A Pod's name is that of its Service, with its own label before. */
function lists(object: Located["object"], name: string): boolean {
  return JSON.stringify(object).includes(name.replace(/^p\d\./, ""));
}

function annotated(object: Located["object"], key: string): string | undefined {
  return object.metadata.annotations?.[`external-dns.kubernetes.io/${key}`];
}

function isOfOthers(object: Located["object"]): boolean {
  return annotated(object, "controller") === "other";
}

function isActual({ recordType, targets }: Endpoint): boolean {
  return recordType === "TXT" && targets.some((text) => text.includes("external-dns/owner=me"));
}

function hasNoAddress({ object }: Located): boolean {
  return /"loadBalancer":\{\}|"clusterIP":"None"/.test(JSON.stringify(object));
}

function hasTwoTtls({ object }: Located): boolean {
  const keys = new Map<string, unknown>();
  return (listOf(fieldsOf(object["spec"])["endpoints"]) ?? []).map(fieldsOf).some((one) => {
    const key = `${String(one["dnsName"])} ${String(one["recordType"])}`;
    const isOther = keys.has(key) && keys.get(key) !== one["recordTTL"];
    keys.set(key, one["recordTTL"]);
    return isOther;
  });
}
