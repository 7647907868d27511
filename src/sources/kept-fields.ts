/**
 * Which fields of cluster objects are kept in memory, as the rows of index.ts name them. A cluster
 * has tens of thousands of Services and Ingresses, and most fields of each are of no interest here.
 */
import { type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import type { SourceRow } from "./source.ts";

/** The object with less in it. Pure. */
export type Keep = (object: KubeObject) => KubeObject;

/** The fields that are kept of an object; null = a field is kept whole. */
interface KeptFields extends ReadonlyMap<string, KeptFields | null> {}

/**
 * By `kindText`. A kind is kept whole, and is absent here, if a source without `keptFields` reads
 * it, or if it is a secondary kind.
 */
export function keptFields(rows: readonly SourceRow[]): ReadonlyMap<string, Keep> {
  const whole = new Set(rows.flatMap(({ secondary }) => secondary.map(kindText)));
  const paths = new Map<string, readonly string[]>();
  const add = (kind: string, fields: readonly string[] | undefined): void => {
    if (fields === undefined) whole.add(kind);
    else paths.set(kind, [...(paths.get(kind) ?? []), ...fields]);
  };
  for (const { primary, keptFields: fields, onDemand = [] } of rows) {
    add(kindText(primary), fields);
    for (const one of onDemand) add(kindText(one.kind), one.keptFields);
  }
  return new Map(
    [...paths].filter(([kind]) => !whole.has(kind)).map(([kind, all]) => [kind, keepOf(all)]),
  );
}

/** The one field of metadata that is kept when it is asked for. */
const LABELS = "metadata.labels";

function keepOf(paths: readonly string[]): Keep {
  const kept = keptOf(paths.filter((path) => path !== LABELS).map((path) => path.split(".")));
  const hasLabels = paths.includes(LABELS);
  return (object) => {
    const { apiVersion, kind, metadata } = object;
    const slim = {
      apiVersion,
      kind,
      metadata: hasLabels ? metadata : { ...metadata, labels: undefined },
    };
    return Object.assign(slim, fieldsIn(object, kept));
  };
}

function keptOf(paths: readonly (readonly string[])[]): KeptFields {
  const heads = new Set(paths.flatMap(([head]) => head ?? []));
  return new Map(
    [...heads].map((head) => {
      const below = paths.filter((path) => path[0] === head).map((path) => path.slice(1));
      return [head, below.some(({ length }) => length === 0) ? null : keptOf(below)];
    }),
  );
}

/** A value of another shape than expected stays as it is, so that its source can report it. */
function keepIn(value: unknown, kept: KeptFields | null): unknown {
  if (kept === null) return value;
  if (Array.isArray(value)) return value.map((element: unknown) => keepIn(element, kept));
  return isFields(value) ? fieldsIn(value, kept) : value;
}

/** Adds one key after the other: such objects share a shape and are small, others are not. */
function fieldsIn(value: Readonly<Record<string, unknown>>, kept: KeptFields): object {
  const fields: Record<string, unknown> = {};
  for (const [name, below] of kept) fields[name] = keepIn(value[name], below);
  return fields;
}
