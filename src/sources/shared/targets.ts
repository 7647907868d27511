/**
 * Targets (addresses and host names) to typed record values. Whole or not at all: a list with one
 * bad target gives none, because publishing the rest would take an answer away that was there
 * before (Z-5).
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { canonicalValues, parseRdata } from "@zonekeeper/dns/rdata/index";
import type { RecordType } from "@zonekeeper/dns/rdata/rdata-format";
import { quoted, readName } from "./read-name.ts";
import { hostMistake, isAddressText, targetMistake } from "./target-form.ts";

/** Values of one type. */
export interface TypedValues {
  readonly type: RecordType;
  /** Canonical rdata, sorted, not empty. */
  readonly values: readonly string[];
  /** The values are host names whose addresses are to be published. Absent = no. */
  readonly isLookedUp?: true;
}

/** Why targets cannot become records. */
export interface TargetTrouble {
  /** `InvalidTarget`, `MixedTargets`, `TooManyValues`. */
  readonly code: string;
  readonly message: string;
}

/** Host names that are looked up for one name. */
const HOSTS_MAX = 25;

/**
 * A for IPv4, AAAA for IPv6, else CNAME; sorted by type. A CNAME is alone at its name (RFC 1034
 * §3.6.2): several host names are looked up, and one too where the object asks for that. Host names
 * beside addresses are trouble.
 */
export function readTargets(
  targets: readonly string[],
  asksForAddresses = false,
): Result<readonly TypedValues[], TargetTrouble> {
  const byType = new Map<RecordType, string[]>();
  for (const target of targets) {
    const typed = readTarget(target);
    if (!typed.ok) return typed;
    byType.set(typed.value.type, [...(byType.get(typed.value.type) ?? []), typed.value.value]);
  }
  const sets = [...byType].map(([type, values]) => ({ type, values: canonicalValues(values) }));
  const isLookedUp = ({ type, values }: TypedValues): boolean =>
    type === "CNAME" && (asksForAddresses || values.length > 1);
  const marked = sets.map(
    (set): TypedValues => (isLookedUp(set) ? { ...set, isLookedUp: true } : set),
  );
  return shapeTrouble(marked) ?? ok(marked.sort((a, b) => (a.type < b.type ? -1 : 1)));
}

function readTarget(
  target: string,
): Result<{ readonly type: RecordType; readonly value: string }, TargetTrouble> {
  const text = target.trim();
  const type = !isAddressText(text) ? "CNAME" : text.includes(":") ? "AAAA" : "A";
  const value = type === "CNAME" ? readHostTarget(text) : readAddress(type, text);
  if (value.ok) return ok({ type, value: value.value });
  return fail({
    code: "InvalidTarget",
    message: `invalid target ${quoted(text)}: ${value.error}`,
  });
}

/** The canonical address of a type (A, AAAA), or what is wrong with the text. */
export function readAddress(type: RecordType, text: string): Result<string> {
  const value = parseRdata(type, text);
  // Nearly all are right, and what is right is no mistake.
  const mistake = value.ok ? null : targetMistake(text);
  return mistake === null ? value : fail(mistake);
}

/** The canonical host name that a CNAME, NS or PTR has as its value, or what is wrong with it. */
export function readHostTarget(text: string): Result<string> {
  const mistake = targetMistake(text);
  if (mistake !== null) return fail(mistake);
  const name = readName(text);
  if (!name.ok) return name;
  const noHost = hostMistake(name.value);
  return noHost === null ? parseRdata("CNAME", name.value) : fail(noHost);
}

function shapeTrouble(sets: readonly TypedValues[]): Result<never, TargetTrouble> | null {
  const names = sets.find((set) => set.type === "CNAME");
  if (names === undefined) return null;
  if (sets.length > 1)
    return fail({
      code: "MixedTargets",
      message: "host names and IP addresses cannot be targets of one name; use one kind only",
    });
  if (names.values.length <= HOSTS_MAX) return null;
  return fail({
    code: "TooManyValues",
    message: `${names.values.length} host names are targets, and at most ${HOSTS_MAX} are looked up for one name; list fewer, or addresses`,
  });
}
