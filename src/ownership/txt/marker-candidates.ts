/**
 * What a marker's name says when several layouts are read at once. A name that two layouts read
 * differently proves little: a new marker never stands there, and one that does counts only while
 * nothing stands at its other readings (SAFETY Z-9).
 */
import type { DnsName } from "../../model/dns-name.ts";
import {
  LABEL,
  type LabelledRecord,
  labelledBy,
  markerNames,
  type NameTemplate,
  TYPED,
} from "./name-template.ts";

/** Where names are read. */
export interface CandidateOptions {
  readonly apex: DnsName;
  /** Every layout that is read; made by `layoutsRead`. */
  readonly nameTemplates: readonly NameTemplate[];
}

/**
 * Every layout that is read, each once, the ones that were chosen first: TYPED, which reads all, is
 * last.
 */
export function templatesRead(
  template: NameTemplate,
  readAlso: readonly NameTemplate[],
): readonly NameTemplate[] {
  return [...new Set([LABEL, template, ...readAlso])].filter((one) => one !== TYPED).concat(TYPED);
}

/**
 * All that a marker at `name` may speak for, each once, the best first: a typed reading before a
 * legacy one, but what a layout of the user's says before what the default one says. That a name
 * without affix speaks for itself counts only where no layout reads a type in it. Empty = nothing.
 */
export function candidatesAt(
  name: DnsName,
  { apex, nameTemplates }: CandidateOptions,
): readonly LabelledRecord[] {
  const chosen: LabelledRecord[] = [];
  const plain: LabelledRecord[] = [];
  for (const template of nameTemplates)
    (template === TYPED ? plain : chosen).push(...labelledBy(template, name, apex));
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
  template: NameTemplate,
  { markerName, record }: { readonly markerName: DnsName; readonly record: LabelledRecord },
  options: CandidateOptions,
): boolean {
  const own = labelledBy(template, markerName, options.apex);
  const [best] = candidatesAt(markerName, options);
  return own.length === 1 && best?.name === record.name && best.type === record.type;
}

/**
 * Other names for which a marker of `name` may speak as well: what stands there decides whom it
 * speaks for.
 */
export function dependentNamesOf(name: DnsName, options: CandidateOptions): readonly DnsName[] {
  const { nameTemplates, apex } = options;
  // The two layouts of the default never meet.
  if (nameTemplates.every((template) => template === LABEL || template === TYPED)) return [];
  const shared = new Set(nameTemplates.flatMap((template) => markerNames(template, name, apex)));
  const names = [...shared].flatMap((markerName) =>
    candidatesAt(markerName, options).map((one) => one.name),
  );
  return [...new Set(names)].filter((one) => one !== name);
}

function distinct(candidates: readonly LabelledRecord[]): readonly LabelledRecord[] {
  return candidates.filter(
    ({ name, type }, index) =>
      candidates.findIndex((one) => one.name === name && one.type === type) === index,
  );
}
