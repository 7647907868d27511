/**
 * What a marker's name says when several layouts are read at once. A name that two layouts read
 * differently proves little: a new marker never stands there, and one that does counts only while
 * nothing stands at its other readings (SAFETY Z-9).
 */
import type { DnsName } from "../../model/dns-name.ts";
import {
  type AffixLayout,
  LABEL,
  type Labelled,
  labelledBy,
  markerNames,
  TYPED,
} from "./name-template.ts";

/** Where names are read. */
export interface ReadingOptions {
  readonly apex: DnsName;
  /** Every layout that is read; made by `layoutsRead`. */
  readonly layouts: readonly AffixLayout[];
}

/**
 * Every layout that is read, each once, the ones that were chosen first: TYPED, which reads all, is
 * last.
 */
export function layoutsRead(
  affix: AffixLayout,
  readAlso: readonly AffixLayout[],
): readonly AffixLayout[] {
  return [...new Set([LABEL, affix, ...readAlso])].filter((one) => one !== TYPED).concat(TYPED);
}

/**
 * All that a marker at `name` may speak for, each once, the best first: a typed reading before a
 * legacy one, but what a layout of the user's says before what the default one says. That a name
 * without affix speaks for itself counts only where no layout reads a type in it. Empty = nothing.
 */
export function readName(name: DnsName, { apex, layouts }: ReadingOptions): readonly Labelled[] {
  const chosen: Labelled[] = [];
  const plain: Labelled[] = [];
  for (const layout of layouts)
    (layout === TYPED ? plain : chosen).push(...labelledBy(layout, name, apex));
  if (chosen.length === 0) return plain;
  const typed = chosen.filter(({ type }) => type !== null);
  const legacy = chosen.filter(({ type }) => type === null);
  const rest = plain.filter(({ type }) => type !== null || typed.length === 0);
  return distinct([...typed, ...legacy, ...rest]);
}

/**
 * True when a marker of `record` may stand at `place`: it reads back as that very record before all
 * others.
 */
export function readsBack(
  layout: AffixLayout,
  { place, record }: { readonly place: DnsName; readonly record: Labelled },
  options: ReadingOptions,
): boolean {
  const own = labelledBy(layout, place, options.apex);
  const [best] = readName(place, options);
  return own.length === 1 && best?.name === record.name && best.type === record.type;
}

/**
 * Other names for which a marker of `name` may speak as well: what stands there decides whom it
 * speaks for.
 */
export function rivalsOf(name: DnsName, options: ReadingOptions): readonly DnsName[] {
  const { layouts, apex } = options;
  // The two layouts of the default never meet.
  if (layouts.every((layout) => layout === LABEL || layout === TYPED)) return [];
  const places = new Set(layouts.flatMap((layout) => markerNames(layout, name, apex)));
  const names = [...places].flatMap((place) => readName(place, options).map((one) => one.name));
  return [...new Set(names)].filter((one) => one !== name);
}

function distinct(readings: readonly Labelled[]): readonly Labelled[] {
  return readings.filter(
    ({ name, type }, index) =>
      readings.findIndex((one) => one.name === name && one.type === type) === index,
  );
}
