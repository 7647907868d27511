/** Judges that are programs, asked again and again: started only where there is news. */

/**
 * Asks where `peek`, which is cheap, answers otherwise than at the last time, or null (it does
 * not know); else gives what was seen then. What changes while it asks is asked for again.
 */
export function askOnChange<T>(
  peek: () => Promise<string | null>,
  ask: () => Promise<T>,
): () => Promise<T> {
  const news = (): Promise<string | null> => peek().catch(() => null);
  let last: { readonly news: string; readonly seen: T } | null = null;
  return async () => {
    const before = await news();
    if (before !== null && last?.news === before) return last.seen;
    const seen = await ask();
    const isSame = before !== null && (await news()) === before;
    last = isSame ? { news: before, seen } : null;
    return seen;
  };
}
