/**
 * The items of each key, in their order; keys in the order of their first items. As `Map.groupBy`,
 * which Node 20 lacks.
 */
export function groupedBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** One item of each key, at the place of the first one with that key; the last one counts. */
export function distinctBy<T>(items: Iterable<T>, keyOf: (item: T) => unknown): readonly T[] {
  const byKey = new Map<unknown, T>();
  for (const item of items) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}

/** Adds to the count of a key; a key whose count ends takes no memory. */
export function addCount<K>(counts: Map<K, number>, key: K, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
