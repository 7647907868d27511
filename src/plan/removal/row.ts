/**
 * One line of a table of reasons to keep a record set, and the look-up of the first line that
 * matches. The lines are in table.ts; nothing is decided here. Pure.
 */
import type { AbsenceProof } from "../changes.ts";
import type { HoldCode } from "../hold-reasons.ts";

/** Why a record set stays. */
export interface Kept<Code> {
  /** Code of the hold; null = it stays without a hold of its own. */
  readonly code: Code;
  /** For people; where `code` is null, for readers of the table only. */
  readonly message: string;
  /** With this proof it goes all the same once another record answers at its name. */
  readonly unlessAnswered?: AbsenceProof;
}

/** Judges facts: why the record set stays; null = this line does not match. */
export type Row<Facts, Code = HoldCode> = (facts: Facts) => Kept<Code> | null;

/** A line as it is written. */
interface Line<Facts, Code, Matched> {
  /** The subject of the line; null, undefined and false = the line does not match. */
  readonly when: (facts: Facts) => Matched | null | undefined | false;
  readonly hold: Code | ((matched: Matched) => Code);
  readonly why: string | ((matched: Matched, facts: Facts) => string);
  /** The proof of `Kept`; absent, and null = the record set stays in any case. */
  readonly unlessAnswered?: (facts: Facts) => AbsenceProof | null;
}

/** Makes lines about facts of one kind; `Code`: what they may hold by. */
export function rowsAbout<Facts, Code extends HoldCode | null = HoldCode>(): <Matched>(
  line: Line<Facts, Code, Matched>,
) => Row<Facts, Code> {
  return ({ when, hold, why, unlessAnswered }) =>
    (facts) => {
      const matched = when(facts);
      if (matched === null || matched === undefined || matched === false) return null;
      const code = typeof hold === "function" ? hold(matched) : hold;
      const message = typeof why === "function" ? why(matched, facts) : why;
      const proof = unlessAnswered?.(facts) ?? null;
      return proof === null ? { code, message } : { code, message, unlessAnswered: proof };
    };
}

/** The first line that matches; null = none does, and the record set goes. */
export function firstOf<Facts, Code>(
  rows: readonly Row<Facts, Code>[],
  facts: Facts,
): Kept<Code> | null {
  for (const row of rows) {
    const kept = row(facts);
    if (kept !== null) return kept;
  }
  return null;
}
