/** Letters to change, add or leave out to make one text of another (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...a].entries()) {
    const now = [at + 1];
    for (const [other, wanted] of [...b].entries())
      now.push(
        Math.min(
          (before[other] ?? 0) + (letter === wanted ? 0 : 1),
          (before[other + 1] ?? 0) + 1,
          (now[other] ?? 0) + 1,
        ),
      );
    before = now;
  }
  return before.at(-1) ?? 0;
}
