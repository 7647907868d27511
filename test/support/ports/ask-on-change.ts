/** Judges that are programs, asked again and again: started only where there is news. */

/**
 * Asks where `peek`, which is cheap, answers otherwise than at the last time, or null (it does
 * not know); else gives what was seen then.
 */
export function askOnChange<T>(
  peek: () => Promise<string | null>,
  ask: () => Promise<T>,
): () => Promise<T> {
  let last: { readonly news: string; readonly seen: T } | null = null;
  return async () => {
    const news = await peek().catch(() => null);
    if (news !== null && last?.news === news) return last.seen;
    const seen = await ask();
    last = news === null ? null : { news, seen };
    return seen;
  };
}
