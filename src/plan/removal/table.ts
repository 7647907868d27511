/**
 * May a record set of ours go that no object wants at its key, and if not, why? The first line that
 * matches keeps it; where none does, it goes with the proof that no object wants it (Z-2). Its
 * marker is the record that states its owner and object. In the order of this page:
 *
 *   ABSENCE   is it proven that no object wants it? What clusters, contributions and zones say.
 *   OBJECT    a part of ABSENCE: what is known of the object in its marker; how its end is known,
 *             and whether that proves enough, sync/absence/object-facts.ts says.
 *   RECORD    if so, is it to be removed? What the plan of its name says.
 *   ENDS      do the definitions of the kinds stand? API servers are asked before the guards.
 *   ANSWERS   do the objects do without it? They are asked after the guards, before the call.
 *
 * A Service publishes by way of its DNSEntry, unless `--publish direct`: while that stands, its
 * record is wanted, and what keeps the entry is in source-controllers/entries/remove-entries.ts. A
 * record that another owner id claims, too, is none of ours (plan/rights.ts).
 *
 * Beside these lines a removal waits, in the order of a round, while
 *
 *   a write of ours at its name is withdrawn first (sync/zone/judge-own-writes.ts);
 *   its name or object is paused (sync/cache/paused-objects.ts);
 *   its plan was made again and again, or is fought over and writes too (sync/zone/name-ledger.ts);
 *   it is the last answer that its object has at the name (plan/decide-unwanted.ts);
 *   a guard holds the plan: fence, move between zones, pause, signing, fuse (sync/guards/guard.ts);
 *   the round asks for the objects of too many others (sync/absence/confirm-absences.ts);
 *   the registry refuses or holds its change, its name is to be read first, the same step did
 *   nothing before, a lost create may still land, or another group of the round writes or rests
 *   upon one of its owner names (sync/zone/plan-round.ts);
 *   at the call itself: the fence is asked once more, an edit came, or a preview shows it only
 *   (sync/zone/send-groups.ts).
 *
 * A hold of ABSENCE ends all the same by a person's order for exactly this record, by the removal
 * of the object's cluster (`judgeAbsence`), and where a line says `unlessAnswered`: once another
 * record answers at the name (record-facts.ts).
 *
 * Without a proof of absence go the marker of a record that is released, and a record set that is
 * in the way of one that is created at its name (plan/decide-unwanted.ts). Pure.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { timeText } from "@zonekeeper/base/time-text";
import { RENAMED_TO_ANNOTATION } from "../../model/annotation-keys.ts";
import { ORPHANED } from "../absence-hold-reasons.ts";
import type { AbsenceProof } from "../changes.ts";
import type { HoldCode } from "../hold-reasons.ts";
import { foreignValueText, isShared, sharedText } from "../rights.ts";
import type { AbsenceVerdict } from "../rules.ts";
import type {
  AbsenceFacts,
  AnswerFacts,
  DefinitionFacts,
  ListerFacts,
  ObjectFacts,
} from "./absence-facts.ts";
import type { RecordFacts } from "./record-facts.ts";
import { firstOf, type Row, rowsAbout } from "./row.ts";

const absence = rowsAbout<AbsenceFacts>();
const object = rowsAbout<ObjectFacts>();
const record = rowsAbout<RecordFacts, HoldCode | null>();
const definition = rowsAbout<DefinitionFacts>();
const answer = rowsAbout<AnswerFacts>();

const ABSENCE: readonly Row<AbsenceFacts>[] = [
  // Nothing is known now of that cluster (Z-3, Z-30).
  /* clause: closed-gate-holds */ absence({
    when: ({ gate }) => gate,
    hold: ({ code }) => code,
    why: ({ message }) => message,
  }),

  // An object lists the name (Z-1, Z-2, Z-4).
  absence({
    when: /* clause: unclear-lister-keeps-record */ ({ listers }) => thatIs(listers, "unclear"),
    hold: ({ code }) => code,
    why: ({ who }) => unclearText(who),
  }),
  absence({
    when: ({ listers }) => thatIs(listers, "without-address"),
    hold: "NoTargets",
    why: ({ original, sinceMs, isDangling }) => {
      const since = timeText(sinceMs);
      return `${isDangling ? "dangling: " : ""}${original} has no address since ${since}; its record stays`;
    },
  }),
  absence({
    when: (facts) => !facts.isLeftBehind && elsewhere(facts, ({ isAboutRecord }) => isAboutRecord),
    hold: "WantedElsewhere",
    why: elsewhereText,
  }),
  absence({
    when: ({ listers }) => thatIs(listers, "former"),
    hold: "RenamedUnpublished",
    why: ({ who }) =>
      `${who} ${FORMER_TEXT}; the record stays until then, or until another object has the name; ${NOTE_REMEDY}`,
    unlessAnswered: () => "object-omits-name",
  }),
  /* clause: other-lister-keeps-record */ absence({
    when: (facts) => proofWithoutObject(facts) === null && elsewhere(facts, mayBeAbout),
    hold: "WantedElsewhere",
    why: elsewhereText,
    unlessAnswered: (facts) =>
      firstOf(OBJECT, facts.object()) === null ? facts.object().proof : null,
  }),

  // The object in its marker may want it.
  (facts) => (proofWithoutObject(facts) === null ? firstOf(OBJECT, facts.object()) : null),

  // That object does not want it, but has the name in another zone (Z-18), or another name instead
  // (Z-32).
  absence({
    when: (facts) => proofOf(facts) === "moved-zone" && facts.servesCut,
    hold: "GlueNeeded",
    why: (cut, { name }) =>
      `${name} is a name server of the delegation ${cut}, so that resolvers need its address here; the record stays`,
  }),
  /* clause: former-name-waits-for-new */ absence({
    when: (facts) => OMITTED.has(proofOf(facts)) && facts.unpublished(),
    hold: "RenamedUnpublished",
    why: ({ who, instead }) =>
      `${who} has ${instead} instead, which is not published; the record stays until it is, or another object has the name`,
    /* clause: former-name-gives-way */ unlessAnswered: proofOf,
  }),

  // That an object of this cluster is gone says nothing of one of that name in another cluster.
  /* clause: shared-owner-names-its-cluster */ absence({
    when: ({ isAnybodys }) => isAnybodys,
    hold: "OwnerShared",
    why: "Other installations may have its owner id, and its marker names no cluster, so that its object may be one of theirs; the record stays",
  }),
];

const OBJECT: readonly Row<ObjectFacts>[] = [
  object({
    when: ({ who }) => who === null,
    hold: "KindUnknown",
    why: "Its marker names no object, so that no absence can be proven; the record stays",
  }),

  // Its cluster is not served here: all that can be seen to end is the DNSEntry made for it (Z-30).
  /* clause: awaited-cluster-is-unknown */ object({
    when: ({ unserved }) => unserved?.entry === null && unserved.awaited,
    hold: "NotSynced",
    why: (awaited, { who }) => `Its marker is for ${who}, and ${awaited}; the record stays`,
  }),
  object({
    when: ({ unserved }) => unserved?.entry === null && unserved,
    hold: "ClusterUnknown",
    why: ({ cluster, hasEntries }, { who }) => {
      const wayOut = hasEntries
        ? "Other DNSEntries here are of that cluster: the record goes when one is made for this object, with the name, and deleted"
        : "zonekeeper plan says once for all such records what to do";
      return `Its marker is for ${who} of the cluster ${cluster}, which is not served here; the record stays. ${wayOut}`;
    },
  }),
  object({
    when: ({ unserved }) => unserved,
    hold: "SourceAlive",
    why: ({ entry }, { who }) =>
      `${entry}, which was made for ${who}, exists and was changed: it no longer lists the name; the record stays until it is deleted`,
  }),

  // The DNSEntry that we made for it ended, and it lists the name: the entry is made again (Z-2).
  object({
    when: ({ relists }) => relists?.waitsFor === "NoTargets",
    hold: "NoTargets",
    why: (_, { who }) => `${who} has no address for this name now; the record stays`,
  }),
  object({
    when: ({ relists }) => relists?.waitsFor,
    hold: (waitsFor) => waitsFor,
    why: (_, { who }) => unclearText(who),
  }),
  object({
    when: ({ relists }) => relists,
    hold: "OriginalAlive",
    why: ({ made }, { who }) =>
      `${who} lists the name; ${made}, which was made for it, is made again`,
  }),

  // Nothing proves that it does without the record.
  object({
    when: ({ proof, isAlive }) => proof === null && isAlive,
    hold: "SourceAlive",
    why: (_, { who }) =>
      `${who} exists, and it is not known that it no longer wants the record; the record stays`,
  }),
  object({
    when: ({ proof }) => proof === null,
    hold: "KindGone",
    why: (_, { who, whyUnknown }) =>
      `Whether ${who} still exists is not known: ${whyUnknown}; the record stays`,
  }),

  // It was never seen to list the name (Z-22).
  object({
    when: ({ unseen }) => unseen,
    hold: ({ code }) => code,
    why: ({ message }) => message,
  }),
];

/**
 * Before these a record set may be released, or make room for another one; after them the last
 * answer of an object stays until another one is there (decide-unwanted.ts).
 */
export const RECORD: readonly Row<RecordFacts, HoldCode | null>[] = [
  // Its object wants a record at the name, and the hold of that one says why there is none. A held
  // desired record set of another object is no reason to keep it: that object may wait for the
  // removal, and the removal for that object (OriginalAlive).
  record({ when: ({ isWanted }) => isWanted, hold: null, why: "another object has the name" }),
  record({
    when: ({ isReplacementHeld }) => isReplacementHeld,
    hold: null,
    why: "as is its new one",
  }),
  record({ when: ({ isRefused }) => isRefused, hold: null, why: "it is wanted, and refused" }),

  // No hold: as for a record of somebody else, nothing is wanted here.
  /* clause: name-out-of-scope-stays */ record({
    when: ({ isLeftOut }) => isLeftOut,
    hold: null,
    why: "its name is outside of the filters",
  }),

  // ABSENCE keeps it.
  record({
    when: ({ absence }) => !absence.proven && absence,
    hold: ({ code }) => code,
    why: ({ message }) => message,
  }),

  // No object wants it, and it is not to be removed.
  record({
    when: ({ policy }) => policy !== "sync" && policy,
    hold: "PolicyForbids",
    why: (policy) => `the policy ${policy} forbids removals`,
  }),
  record({
    when: ({ isManaged }) => !isManaged,
    hold: "UnmanagedType",
    why: (_, { one }) => `Zonekeeper does not manage records of type ${one.type} here`,
  }),
  record({
    when: ({ one }) => isShared(one.marker),
    hold: "MarkerShared",
    why: (_, { one }) => sharedText(one.marker),
  }),
  record({
    when: ({ foreignValues }) => foreignValues.length > 0 && foreignValues,
    hold: "ForeignValue",
    why: (values, { one }) => foreignValueText(one.type, values),
  }),
  record({
    when: ({ readAsMarked }) => readAsMarked,
    hold: "MarkerAmbiguous",
    why: ({ type, name }, { one }) =>
      `the marker at ${one.marker.record?.name ?? one.name} names no type, and external-dns would read it as the marker of ${type} ${name}, which has none; adopt that record, or remove the marker by hand`,
  }),
];

/** For each definition on whose objects the removal rests (sync/absence/confirm-ends.ts). */
export const ENDS: readonly Row<DefinitionFacts>[] = [
  // Deleting a definition states no intent about the names of its objects.
  /* clause: ended-definition-proves-nothing */ definition({
    when: ({ state }) => state === "ends",
    hold: "DefinitionGone",
    why: (_, { message }) =>
      `${message}, and its objects with it: that says nothing about their names, so the record stays. Install the definition again, then apply the objects`,
  }),
  definition({
    when: ({ state }) => state === "unknown",
    hold: "NotSynced",
    why: (_, { markerKind, message }) =>
      `The removal waits until it is known that the kind ${markerKind} is not being deleted: ${message}; it is asked again`,
  }),
];

/** For each object on which the removal rests (sync/absence/confirm-absences.ts). */
export const ANSWERS: readonly Row<AnswerFacts>[] = [
  answer({
    when: (facts) => facts.is === "unasked",
    hold: "NotSynced",
    why: (_, { who }) => `${confirmText(who)}: no answer yet; it is asked again`,
  }),
  answer({
    when: (facts) => facts.is === "unwatched",
    hold: "KindGone",
    why: (_, { who }) => `${confirmText(who)}: no cluster watches its kind`,
  }),
  answer({
    when: (facts) => facts.is === "unknown" && facts,
    hold: ({ code }) => code,
    why: ({ who, message }) => `${confirmText(who)}: ${message}; it is asked again`,
  }),
  answer({
    when: (facts) => facts.is === "newer",
    hold: "SourceAlive",
    why: (_, { who }) => `${who} is newer at its API server than in the cache; it is asked again`,
  }),
  // The end of a derived object proves nothing about its original.
  answer({
    when: (facts) => facts.is === "unreported",
    hold: "SourceAlive",
    why: (_, { who }) =>
      `${who} is gone from its API server, and the watch has not reported its end; it is asked again`,
  }),
];

/** Whether it is proven that no object wants the record set, and who publishes instead. */
export function judgeAbsence(facts: AbsenceFacts): AbsenceVerdict {
  const kept = firstOf(ABSENCE, facts);
  if (kept === null) return proven(facts);
  const isOrphaned = /* clause: orphan-goes-by-order */ ORPHANED.has(kept.code);
  // A person ordered that this one goes, or passes to the object that wants it (Z-22).
  if (isOrphaned && facts.isOrdered) return { proven: true, proof: "approved" };
  if (
    isOrphaned &&
    /* clause: removed-cluster-is-an-order */ facts.object().unserved?.isRemoved === true
  )
    return { proven: true, proof: "removed-cluster" };
  const { code, message } = kept;
  // clause: shared-owner-gives-way-to-nobody
  return facts.isAnybodys === true ? { proven: false, code, message } : { proven: false, ...kept };
}

function proven(facts: AbsenceFacts): AbsenceVerdict {
  const proof = proofOf(facts);
  invariant(proof !== null, "what no line of the table keeps has a proof");
  const own = facts.object();
  const successor = own.proof === proof ? (own.successor ?? null) : null;
  return successor === null ? { proven: true, proof } : { proven: true, proof, successor };
}

/** How it is known that no object wants the record set here; null = it is not. */
function proofOf(facts: AbsenceFacts): AbsenceProof | null {
  const proof = proofWithoutObject(facts) ?? facts.object().proof;
  return facts.isMovedAway && proof !== null ? "moved-zone" : proof;
}

/** The proof where the object in the marker lives; null = that object has to be judged. */
function proofWithoutObject(facts: AbsenceFacts): AbsenceProof | null {
  if (facts.isLeftBehind && elsewhere(facts, mayBeAbout) !== undefined) return "moved-zone";
  const isForGood = thatIs(facts.listers, "without-address-for-good") !== undefined;
  return isForGood ? "no-targets-grace" : null;
}

/** The object lives, and lists the name no more. */
const OMITTED: ReadonlySet<AbsenceProof | null> = new Set<AbsenceProof>([
  "object-dropped-name",
  "object-omits-name",
]);

type ListerThatIs<Is extends ListerFacts["is"]> = Extract<ListerFacts, { readonly is: Is }>;

function thatIs<Is extends ListerFacts["is"]>(
  listers: readonly ListerFacts[],
  is: Is,
): ListerThatIs<Is> | undefined {
  return listers.find((one): one is ListerThatIs<Is> => one.is === is);
}

function elsewhere(
  { listers }: AbsenceFacts,
  test: (one: ListerThatIs<"elsewhere">) => boolean,
): ListerFacts | undefined {
  return listers.find((one) => one.is === "elsewhere" && test(one));
}

function mayBeAbout({ isAboutRecord, isOtherZone }: ListerThatIs<"elsewhere">): boolean {
  return isAboutRecord || !isOtherZone;
}

function confirmText(who: string): string {
  return `The removal waits for the API server to confirm that ${who} does not want the record`;
}

function elsewhereText({ who }: ListerFacts): string {
  return `${who} wants the name through another provider or zone; the record stays`;
}

function unclearText(who: string | null): string {
  return `${who} lists the name, but what it wants there is not known completely; the record stays`;
}

/** Says of a DNSEntry that its object has another name now; the entry's name comes before it. */
export const FORMER_TEXT = `was made for a name that its object gave up for another one, which is not published yet, as its annotation ${RENAMED_TO_ANNOTATION} says`;

/** The remedy; where the annotation was right, the process that made the entry writes it again. */
export const NOTE_REMEDY = "if that is wrong, remove the annotation";
