/**
 * Chooses the name of a new marker (Z-11, Z-12): the first name that a template makes and that is
 * free, not below a delegation, and hides no wildcard. Looks at the zone's content; writes nothing.
 */
import { type DnsName, isAtOrBelow, parentOf } from "@zonekeeper/dns/names/dns-name";
import type { RecordSetKey } from "../../model/record-set.ts";
import type { PresentSets } from "../../plan/preconditions.ts";
import { cutBetween } from "../shared/zone-cut.ts";
import { type CandidateOptions, candidatesAt, readsBack } from "./marker-candidates.ts";
import { LABEL, markerName, type NameTemplate } from "./name-template.ts";

/**
 * Form of new names. `typed`: by external-dns's default template or the configured one, else by our
 * `_owner` template (LABEL); `label`: always by LABEL (Z-12).
 */
export type MarkerLocation = "typed" | "label";

/** What the choice of a name depends on. */
export interface LocationOptions extends CandidateOptions {
  readonly markerLocation: MarkerLocation;
  /** What `typed` is made of. */
  readonly nameTemplate: NameTemplate;
  /** True when data and marker go in one all-or-nothing call. */
  readonly atomic: boolean;
}

/** Types below whose names the zone does not answer; LABEL would put their marker there. */
const WITHOUT_FALLBACK: ReadonlySet<string> = new Set(["NS", "DS", "DNAME"]);

/**
 * The name for a new marker of `key`, or why there is none. `avoid` is a name that is about to be
 * taken.
 */
export function chooseMarkerName(
  key: RecordSetKey,
  options: LocationOptions & { readonly present: PresentSets; readonly avoid: DnsName | null },
): { readonly name: DnsName } | { readonly trouble: string } {
  const troubles: string[] = [];
  for (const template of templatesWritten(options)) {
    const name = nameIn(template, key, options);
    const trouble = name === null ? null : troubleAt(name, key, options);
    if (name !== null && trouble === null && name !== options.avoid) return { name };
    if (trouble !== null) troubles.push(trouble);
  }
  return {
    trouble:
      troubles.join("; ") ||
      "no marker name fits this record: each one is too long, or labels another record; choose another name",
  };
}

/** The templates of new markers, best first. */
function templatesWritten({
  markerLocation,
  nameTemplate,
}: Pick<LocationOptions, "markerLocation" | "nameTemplate">): readonly NameTemplate[] {
  return markerLocation === "label"
    ? [LABEL]
    : [nameTemplate, /* clause: label-form-is-tried */ LABEL];
}

/**
 * The names at which the marker of `key` fits a template, best first, taken or not.
 */
export function markerNamesOf(key: RecordSetKey, options: LocationOptions): readonly DnsName[] {
  return templatesWritten(options).flatMap((template) => nameIn(template, key, options) ?? []);
}

function nameIn(
  template: NameTemplate,
  key: RecordSetKey,
  options: LocationOptions,
): DnsName | null {
  if (template === LABEL && WITHOUT_FALLBACK.has(key.type)) return null;
  const name = markerName(template, key, options);
  return name !== null && readsBack(template, { markerName: name, record: key }, options)
    ? name
    : null;
}

/** Why no marker may be written at `name`; null = it may. */
function troubleAt(
  name: DnsName,
  key: RecordSetKey,
  options: LocationOptions & { readonly present: PresentSets },
): string | null {
  const { apex, atomic, present } = options;
  const sets = present.at(name);
  if (sets.some((set) => set.type === "CNAME")) return `${name} is an alias`;
  if (sets.some((set) => set.type === "TXT" && clashes(set, key))) return `${name} is taken`;
  const competing = competingRecord(name, key, options);
  if (competing !== null)
    return `a marker at ${name} would also label ${competing.name} ${competing.type}`;
  const cut = cutBetween({ marker: name, data: key.name }, apex, present);
  if (cut !== null) return `${name} is not answered: the zone ends at ${cut}`;
  const opensName = isAtOrBelow(name, key.name) && !atomic;
  if (!opensName || !isUnderWildcard(key.name, apex, present)) return null;
  return `${name} would hide the wildcard above before its record exists`;
}

/** Data for which a marker at `name` could be taken as well. */
function competingRecord(
  name: DnsName,
  key: RecordSetKey,
  options: LocationOptions & { readonly present: PresentSets },
): RecordSetKey | null {
  const isOther = (set: RecordSetKey) => set.name !== key.name || set.type !== key.type;
  const others = candidatesAt(name, options).flatMap((one) =>
    options.present
      .at(one.name)
      .filter(({ type }) => type === one.type || (one.type === null && type !== "TXT")),
  );
  return others.find(isOther) ?? null;
}

/** Members of one routing policy may share a name; a plain set and a member may not. */
function clashes(set: RecordSetKey, key: RecordSetKey): boolean {
  return (
    set.setIdentifier === key.setIdentifier ||
    set.setIdentifier === null ||
    key.setIdentifier === null
  );
}

function isUnderWildcard(name: DnsName, apex: DnsName, present: PresentSets): boolean {
  for (
    let above = parentOf(name);
    above !== null && isAtOrBelow(above, apex);
    above = parentOf(above)
  )
    if (present.at(`*.${above}`).length > 0) return true;
  return false;
}
