/**
 * Candidates: the records that a marker may be for, by its name, when several name templates are
 * read at once. Two templates may read one name differently: then no new marker gets that name, and
 * an existing one counts only while its other candidates have no data (Z-9).
 */
import { distinctBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  LABEL,
  type LabelledRecord,
  labelledBy,
  markerNames,
  type NameRules,
  type NameTemplate,
  TYPED,
} from "./name-template.ts";

/** The zone and the templates by which names are read. */
export interface CandidateOptions extends NameRules {
  /** Every template that is read; made by `templatesRead`. */
  readonly nameTemplates: readonly NameTemplate[];
}

/**
 * Every template that is read, each once, the ones that were chosen first: TYPED, which reads all,
 * is last.
 */
export function templatesRead(
  template: NameTemplate,
  readAlso: readonly NameTemplate[],
): readonly NameTemplate[] {
  return [...new Set([LABEL, template, ...readAlso])].filter((one) => one !== TYPED).concat(TYPED);
}

/**
 * Every record that a marker at `name` may label, each once, the best first: a typed candidate
 * before a legacy one, and candidates of the user's templates before those of the default one. A
 * name without prefix and suffix labels itself only where no template reads a type in it. Empty =
 * none.
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
  const all = [...typed, ...legacy, ...rest];
  return distinctBy(all, (one) => `${one.name} ${one.type}`);
}

/**
 * True when a marker of `record` may have this name: its best candidate is that very record.
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
 * Other names that a marker of `name` may label as well: their data decides which one it labels.
 */
export function dependentNamesOf(name: DnsName, options: CandidateOptions): readonly DnsName[] {
  const { nameTemplates, apex } = options;
  // The two default templates never meet.
  if (nameTemplates.every((template) => template === LABEL || template === TYPED)) return [];
  const shared = new Set(nameTemplates.flatMap((template) => markerNames(template, name, apex)));
  const names = [...shared].flatMap((markerName) =>
    candidatesAt(markerName, options).map((one) => one.name),
  );
  return [...new Set(names)].filter((one) => one !== name);
}
