/** Writes that do not stop each other. */

/** Runs all acts, even if one fails; then throws the first failure. */
export async function each(acts: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const act of acts) await act().catch((error: unknown) => void failures.push(error));
  if (failures.length > 0) throw failures[0];
}
