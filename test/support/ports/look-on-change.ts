/** Judges that are programs, asked again and again: started only where there is news. */

/**
 * Looks where `peek`, which is cheap, answers otherwise than at the last look, or null (it does
 * not know); else gives what that look saw.
 */
export function lookOnChange<T>(
  peek: () => Promise<string | null>,
  look: () => Promise<T>,
): () => Promise<T> {
  let last: { readonly news: string; readonly seen: T } | null = null;
  return async () => {
    const news = await peek().catch(() => null);
    if (news !== null && last?.news === news) return last.seen;
    const seen = await look();
    last = news === null ? null : { news, seen };
    return seen;
  };
}
