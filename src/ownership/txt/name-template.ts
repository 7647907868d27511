/**
 * Names of ownership markers, made and read by external-dns's rules for prefix, suffix, template
 * and wildcard (external-dns `registry/mapper` @v0.22). A marker labels the record that it is for.
 * Text only; marker-location.ts knows whether a name is free.
 */
import {
  type DnsName,
  isAtOrBelow,
  isWildcard,
  LABEL_BYTES_MAX,
  labelsOf,
  NAME_BYTES_MAX,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import { KNOWN_TYPES } from "../../plan/coexistence.ts";

/** How marker names are made. All texts in lower case; `%{record_type}` stands for the type. */
export interface NameTemplate {
  readonly prefix: string;
  readonly suffix: string;
  /** Replaces a first label `*`; empty = none. */
  readonly wildcard: string;
}

/** external-dns's default: `a-www.example.org`. */
export const TYPED: NameTemplate = { prefix: "", suffix: "", wildcard: "" };

/** Our own template, where TYPED makes no usable name: `_owner.a.www.example.org` (Z-12). */
export const LABEL: NameTemplate = {
  prefix: "_owner.%{record_type}.",
  suffix: "",
  wildcard: "_wildcard",
};

/** The record that a marker name labels. */
export interface LabelledRecord {
  readonly name: DnsName;
  /** Null = legacy: the marker names no type. */
  readonly type: string | null;
}

/** The zone of marker names, and what it takes. */
export interface NameRules {
  readonly apex: DnsName;
  /** Names may have `*` elsewhere than as their first label; default false. */
  readonly starInNames?: boolean;
}

const TEMPLATE = "%{record_type}";

/** Types in external-dns's order; only these are written as `type-` before a label. */
const TYPED_TYPES = ["A", "AAAA", "CNAME", "NS", "MX", "PTR", "SRV", "NAPTR", "TXT", "DNAME"];

/** Types that a template with `%{record_type}` can name: all that a zone may hold. */
const TEMPLATE_TYPES = [...new Set([...TYPED_TYPES, ...KNOWN_TYPES, "ALIAS"])];

/** Types that a template can name. */
export function typesOf(template: NameTemplate): readonly string[] {
  return isTemplate(template) ? TEMPLATE_TYPES : TYPED_TYPES;
}

/**
 * Name of the marker of a record set, or null when this template cannot express it: a label over 63
 * bytes, a name over 253, a place outside the zone (`a-example.org` beside the apex), a first label
 * that the wildcard replacement would make ambiguous, a `*` where the zone takes none.
 */
export function markerName(
  template: NameTemplate,
  record: { readonly name: DnsName; readonly type: string },
  { apex, starInNames = false }: NameRules,
): DnsName | null {
  const [first = ""] = labelsOf(record.name);
  if (!typesOf(template).includes(record.type)) return null;
  if (first === template.wildcard && first !== "") return null;
  const name = trustedDnsName(applyTemplate(template, record.name, record.type));
  if (name.length > NAME_BYTES_MAX || !isAtOrBelow(name, apex) || isWildcard(name)) return null;
  if (labelsOf(name).some(isBadLabel)) return null;
  return name.includes("*") && /* clause: wildcard-marker-name */ !starInNames ? null : name;
}

/**
 * Every name at which a marker for `name` could have been written by anybody: all types, no type
 * (legacy), with and without the wildcard's replacement. Reading these and `name` itself reads
 * `name` completely.
 */
export function markerNames(
  template: NameTemplate,
  name: DnsName,
  apex: DnsName,
): readonly DnsName[] {
  const [first = "", ...rest] = labelsOf(name);
  const heads = isWildcard(name) && template.wildcard !== "" ? [template.wildcard, first] : [first];
  const frames = framesOf(template);
  const texts = heads.flatMap((head) =>
    frames.map(({ before, after }) => `${before}${head}${after}`),
  );
  // Asked for each name of a zone, with a dozen types: the other labels are looked at once.
  if (rest.some(isBadLabel)) return [];
  const tail = rest.length === 0 ? "" : `.${rest.join(".")}`;
  return [...new Set(texts)]
    .filter((text) => !labelsOf(trustedDnsName(text)).some(isBadLabel))
    .map((text) => trustedDnsName(`${text}${tail}`))
    .filter((one) => one.length <= NAME_BYTES_MAX && isAtOrBelow(one, apex));
}

/**
 * external-dns's rule as it stands: prefix and suffix go around the first label, with `type-`
 * unless a template names it.
 */
function applyTemplate(template: NameTemplate, name: DnsName, type: string | null): string {
  const [first = "", ...rest] = labelsOf(name);
  const head = first === "*" && template.wildcard !== "" ? template.wildcard : first;
  const { before, after } = frameOf(template, type);
  return [`${before}${head}${after}`, ...rest].join(".");
}

/** Texts around the first label in the name of a marker or permit; they may have dots. */
export interface LabelFrame {
  readonly before: string;
  readonly after: string;
}

/** One for each type that the template can name, then that of names without a type. */
export function framesOf(template: NameTemplate): readonly LabelFrame[] {
  return [...typesOf(template), null].map((type) => frameOf(template, type));
}

function frameOf(template: NameTemplate, type: string | null): LabelFrame {
  const typeText = (type ?? "").toLowerCase();
  const kind = type === null || isTemplate(template) ? "" : `${typeText}-`;
  const before = `${fill(template.prefix, typeText)}${kind}`;
  return { before, after: fill(template.suffix, typeText) };
}

/**
 * Every record that a marker at `name` may label, best candidate first; empty = nothing. More than
 * one where the template does not tell them apart: a replaced wildcard, a template with nothing
 * between type and name.
 */
export function labelledBy(
  template: NameTemplate,
  name: DnsName,
  apex: DnsName,
): readonly LabelledRecord[] {
  const candidates = isTemplate(template)
    ? readTypeTemplate(template, name)
    : readPlain(template, name);
  if (candidates.length === 0) return [];
  return candidates
    .filter((candidate) => candidate.name !== "")
    .flatMap((candidate) =>
      withWildcard(template, candidate).map((text) => ({
        name: trustedDnsName(text),
        type: candidate.type,
      })),
    )
    .filter((one) => isAtOrBelow(one.name, apex));
}

interface Candidate {
  readonly name: string;
  readonly type: string | null;
}

function readTypeTemplate(template: NameTemplate, name: string): readonly Candidate[] {
  // Nearly every name fails here, before each type is tried.
  const at = template.prefix.indexOf(TEMPLATE);
  if (!name.startsWith(at < 0 ? template.prefix : template.prefix.slice(0, at))) return [];
  const typed = TEMPLATE_TYPES.flatMap((type): readonly Candidate[] => {
    const cut = withoutTemplate(filled(template, type.toLowerCase()), name);
    return cut === null ? [] : [{ name: cut, type }];
  });
  if (typed.length > 0) return typed;
  const legacy = withoutTemplate(filled(template, ""), name);
  return legacy === null ? [] : [{ name: legacy, type: null }];
}

function readPlain(template: NameTemplate, name: string): readonly Candidate[] {
  const cut = withoutTemplate(template, name);
  if (cut === null) return [];
  const dash = cut.indexOf("-");
  const type = cut.slice(0, Math.max(dash, 0)).toUpperCase();
  if (!TYPED_TYPES.includes(type)) return [{ name: cut, type: null }];
  return [{ name: cut.slice(dash + 1), type }];
}

/**
 * The name without prefix and suffix; the suffix ends the first labels, as many as it has dots and
 * one.
 */
function withoutTemplate({ prefix, suffix }: NameTemplate, name: string): string | null {
  if (prefix === "" && suffix === "") return name;
  if (!name.startsWith(prefix)) return null;
  const labels = name.slice(prefix.length).split(".");
  const count = suffix.split(".").length;
  const head = labels.slice(0, count).join(".");
  if (!head.endsWith(suffix)) return null;
  return [head.slice(0, head.length - suffix.length), ...labels.slice(count)].join(".");
}

/**
 * A replaced wildcard reads as `*`; in templates of other programs it may also have been the plain
 * label.
 */
function withWildcard(template: NameTemplate, { name }: Candidate): readonly string[] {
  if (template.wildcard === "") return [name];
  const [first = "", ...rest] = name.split(".");
  if (first !== template.wildcard) return [name];
  const star = ["*", ...rest].join(".");
  return template === LABEL ? [star] : [star, name];
}

function isBadLabel(label: string): boolean {
  return label === "" || label.length > LABEL_BYTES_MAX;
}

function isTemplate({ prefix, suffix }: NameTemplate): boolean {
  return prefix.includes(TEMPLATE) || suffix.includes(TEMPLATE);
}

function filled({ prefix, suffix, wildcard }: NameTemplate, type: string): NameTemplate {
  return { prefix: fill(prefix, type), suffix: fill(suffix, type), wildcard };
}

function fill(text: string, type: string): string {
  return text === "" ? "" : text.replaceAll(TEMPLATE, type);
}
