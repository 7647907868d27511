/**
 * The texts of one zone as ids, shared by all its tables, so that equal ids mean equal texts on
 * both sides. Also how the data of a record set becomes one text and back: routing policy and
 * properties are part of it (docs/architecture.md#budgets).
 */

import { compareText } from "@zonekeeper/base/compare-text";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import type { RecordSet } from "../../../model/record-set.ts";
import { NONE, TextPool } from "./text-pool.ts";

/** Pools of one zone. */
export class ZoneTexts {
  /** Owner names of records, markers' included. */
  readonly names = new TextPool();
  /** Types, set identifiers, owner ids, clusters: few and repeated. */
  readonly symbols = new TextPool();
  /** Data of record sets, as `bodyText` makes it. */
  readonly bodies = new TextPool();
  /** `kind/namespace/name`. */
  readonly resources = new TextPool();
}

/** The data of a record set without its key and TTL. */
export type Body = Pick<RecordSet, "values" | "properties" | "routingPolicy">;

const NO_PROPERTIES: RecordSet["properties"] = Object.freeze({});

/** First character of a text: PLAIN for a single plain value, FULL for any other body. */
const PLAIN = "=";
const FULL = "j";

/**
 * Equal for bodies that `hasSameData` calls equal, but for duplicates and the order of values,
 * which count as equal here.
 */
export function bodyText({ values, properties, routingPolicy }: Body): string {
  const [first] = values;
  const isPlain = values.length === 1 && routingPolicy === null && isEmpty(properties);
  if (isPlain && first !== undefined) return `${PLAIN}${first}`;
  const policy =
    routingPolicy === null ? null : [routingPolicy.type, sorted(routingPolicy.parameters)];
  return `${FULL}${JSON.stringify([canonicalValues(values), sorted(properties), policy])}`;
}

/** The body of a text that `bodyText` made. */
export function bodyOf(text: string): Body {
  if (text.startsWith(PLAIN))
    return { values: [text.slice(1)], properties: NO_PROPERTIES, routingPolicy: null };
  const [values, properties, policy]: FullBody = JSON.parse(text.slice(1));
  return {
    values,
    properties: Object.fromEntries(properties),
    routingPolicy:
      policy === null ? null : { type: policy[0], parameters: Object.fromEntries(policy[1]) },
  };
}

type Pairs = readonly (readonly [string, string])[];
type Policy = readonly [string, Pairs];
type FullBody = readonly [readonly string[], Pairs, Policy | null];

function sorted(map: Readonly<Record<string, string>>): Pairs {
  return Object.entries(map).sort(([a], [b]) => compareText(a, b));
}

function isEmpty(map: Readonly<Record<string, string>>): boolean {
  for (const _ in map) return false;
  return true;
}

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
