/** Field by field, which parts of two answers differ. Says where, never why. */
import { type Answer, type Json, recordOf } from "./step.ts";

/** One field that differs. `undefined` = it is not there. */
export interface Difference {
  readonly step: string;
  /** `status`, `body.metadata.labels.a`, `body.items[0].spec`; `body` where the whole is of another kind. */
  readonly path: string;
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}

interface Pair {
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}

/** All differences of one step, in the order of the fields. */
export function differencesOf(step: string, ours: Answer, theirs: Answer): readonly Difference[] {
  const found: Difference[] = [];
  walk(
    "",
    { ours: { ...ours }, theirs: { ...theirs } },
    (path, pair) => void found.push({ step, path, ...pair }),
  );
  return found;
}

function walk(path: string, pair: Pair, tell: (path: string, pair: Pair) => void): void {
  const { ours, theirs } = pair;
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    for (let index = 0; index < Math.max(ours.length, theirs.length); index++)
      walk(`${path}[${index}]`, { ours: ours[index], theirs: theirs[index] }, tell);
    return;
  }
  const left = recordOf(ours);
  const right = recordOf(theirs);
  if (left === null || right === null) {
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) tell(path, pair);
    return;
  }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
    walk(path === "" ? key : `${path}.${key}`, { ours: left[key], theirs: right[key] }, tell);
}
