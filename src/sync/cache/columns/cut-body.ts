/**
 * Bodies (texts of data) that differ in one `resource=…` only, as ownership markers do: the rest is
 * kept once, and the resource is in the pool that has it anyway. So a million markers cost no text
 * of their own. Storage only; the meaning of markers is known in src/ownership.
 */
import { NONE } from "./text-pool.ts";
import { type Body, bodyOf, bodyText, type ZoneTexts } from "./zone-texts.ts";

const LABEL = "resource=";
/** First character of a body with a hole; no text of `bodyText` begins so. */
const CUT = "c";

/** A body in two ids, each counted once. `hole` is a resource, or NONE when the body is whole. */
export interface CutBody {
  readonly body: number;
  readonly hole: number;
}

/** The body of a set, cut where it has a resource; each id is counted. */
export function internCut(set: Body, { bodies, resources }: ZoneTexts): CutBody {
  const text = bodyText(set);
  const at = holeIn(text);
  if (at === null) return { body: bodies.intern(text), hole: NONE };
  const [start, end] = at;
  const rest = `${CUT}${start}:${text.slice(0, start)}${text.slice(end)}`;
  return { body: bodies.intern(rest), hole: resources.intern(text.slice(start, end)) };
}

/** The body again. */
export function bodyOfCut({ body, hole }: CutBody, { bodies, resources }: ZoneTexts): Body {
  const text = bodies.textOf(body);
  if (!text.startsWith(CUT)) return bodyOf(text);
  const colon = text.indexOf(":");
  const start = colon + 1 + Number(text.slice(1, colon));
  const resource = hole === NONE ? "" : resources.textOf(hole);
  return bodyOf(`${text.slice(colon + 1, start)}${resource}${text.slice(start)}`);
}

/** Start and end of the resource in a single plain value; null = there is none. */
function holeIn(text: string): readonly [number, number] | null {
  const label = text.startsWith("=") ? text.indexOf(LABEL) : -1;
  if (label < 0) return null;
  const start = label + LABEL.length;
  const length = text.slice(start).search(/[",]/);
  return length <= 0 ? null : [start, start + length];
}
