/** Approving a held set: every record that it changes is shown, and the count has to be typed. */
import { useContext, useState } from "preact/hooks";
import { wouldText } from "../../src/app/commands/ask/texts/plan-lines.ts";
import type { AbsenceProof } from "../../src/plan/changes.ts";
import { ask, MayOrder, useAnswer } from "../api.ts";
import type { HeldSetDocument, HeldSetRecord, HistoryDocument } from "../contract.ts";
import { useTold } from "../live.ts";
import { Age, Answered, Command, countText, Notice } from "../parts/basics.tsx";
import { Dialog, useOrder } from "../parts/dialog.tsx";
import { addressOf, withQuery } from "../router.ts";

/** Why a set waits. */
export const SETS: Readonly<Record<HeldSetDocument["kind"], string>> = {
  removals: "The fuse holds a set of removals.",
  "next-removals": "The fuse holds the next set: removals that came later, behind an earlier one.",
  updates: "The fuse holds a set of updates.",
  "not-selected": "Removals from objects that exist, after a change of version or configuration.",
  "first-contact": "What first contact with the zone would remove and replace.",
};

/** Changes in one answer, and milliseconds between two questions for them. */
const HISTORY_MAX = 10_000;
const HISTORY_MS = 500;

interface ApproveProps {
  readonly hash: string;
  /** It was another set before. */
  readonly isGrown: boolean;
  readonly onClose: () => void;
}

export function Approve({ hash, isGrown, onClose }: ApproveProps) {
  const answer = useAnswer<HeldSetDocument>(`held-sets/${encodeURIComponent(hash)}`);
  const { error, order } = useOrder();
  const [isApproved, setIsApproved] = useState(false);
  const approve = (count: string) =>
    order(async () => {
      const path = withQuery(`approve/${encodeURIComponent(hash)}`, { count });
      await ask(path, { method: "POST" });
      setIsApproved(true);
    });
  const title = useContext(MayOrder) ? "Approve this set" : "This set waits for approval";
  return (
    <Dialog title={title} error={error} onClose={onClose}>
      {isGrown && !isApproved ? (
        <Notice tone="wait">
          The set has changed since you opened it. This is the set as it is now.
        </Notice>
      ) : null}
      <Answered answer={answer}>
        {(set) =>
          isApproved ? (
            <Progress set={set} />
          ) : (
            <Shown set={set} onApprove={(count) => void approve(count)} />
          )
        }
      </Answered>
    </Dialog>
  );
}

/** How much of it zones have taken, as history has it. */
function Progress({ set: { hash, now, changes } }: { set: HeldSetDocument }) {
  const asked = withQuery("history", { hash, since: now, limit: HISTORY_MAX });
  const answer = useAnswer<HistoryDocument>(asked);
  useTold(answer.again, undefined, HISTORY_MS);
  return (
    <>
      <p>Approved.</p>
      <Answered answer={answer}>
        {(history) => {
          const done = Math.min(changes, new Set(history.changes.map(recordText)).size);
          const isCut = history.isCut && done < changes;
          return (
            <Notice tone={done === changes ? "good" : "wait"}>
              {isCut ? "More than " : ""}
              <b>{`${done} of ${countText(changes, "change")} made`}</b>
              {done === changes ? "." : "; the history of each name shows them."}
            </Notice>
          );
        }}
      </Answered>
    </>
  );
}

function recordText({ zone, name, type, setIdentifier = null }: RecordKey): string {
  return `${zone} ${name} ${type} ${setIdentifier}`;
}

type RecordKey = Pick<HeldSetRecord, "zone" | "name" | "type"> &
  Partial<Pick<HeldSetRecord, "setIdentifier">>;

function Shown({ set, onApprove }: { set: HeldSetDocument; onApprove: (count: string) => void }) {
  const { hash, kind, zones, removals, changes, records, omitted } = set;
  const mayOrder = useContext(MayOrder);
  const [typed, setTyped] = useState("");
  const isOfRemovals = removals > 0;
  const wanted = String(isOfRemovals ? removals : changes);
  const removed = records.filter(({ op }) => op === "remove");
  const others = records.filter(({ op }) => op !== "remove");
  const what = isOfRemovals ? countText(removals, "removal") : countText(changes, "change");
  const submit = (event: Event): void => {
    event.preventDefault();
    if (typed === wanted) onApprove(typed);
  };
  return (
    <>
      <p>
        {SETS[kind]} In {zones.join(", ")}: {countText(changes, "change")}, of them{" "}
        <b>{countText(removals, "removal")}</b>.
      </p>
      {removed.length === 0 ? null : <Lines title="Would be removed" records={removed} />}
      {others.length === 0 ? null : <Lines title="Would be changed" records={others} />}
      {removed.some(({ proof }) => proof?.startsWith("deleted") === true) ? (
        <p class="faint">
          Kubernetes does not record who deletes an object, except in the audit log of its API
          server. What is shown is who edited it last before.
        </p>
      ) : null}
      {removed.length === 0 || !mayOrder ? null : (
        <p class="faint">
          To bring deleted objects back instead: <Command text={`zonekeeper restore ${hash}`} />
        </p>
      )}
      {omitted === 0 ? null : (
        <Notice tone="wait">{omitted} more are not listed here: zonekeeper plan --all</Notice>
      )}
      {!mayOrder ? null : (
        <form class="foot" onSubmit={submit}>
          <label>
            To approve {what}, type how many: {wanted}
            <input
              inputMode="numeric"
              autocomplete="off"
              value={typed}
              onInput={(event) => setTyped((event.currentTarget as HTMLInputElement).value.trim())}
            />
          </label>
          <span role="status">
            {wanted.startsWith(typed) ? null : `Not ${typed}: it is ${what}.`}
          </span>
          <button type="submit" class="main" disabled={typed !== wanted}>
            Approve {what}
          </button>
        </form>
      )}
    </>
  );
}

const SIGNS = { create: "+", replace: "~", remove: "-", marker: "=", unknown: "?" } as const;

function Lines({ title, records }: { title: string; records: readonly HeldSetRecord[] }) {
  return (
    <>
      <h3>
        {title}
        <small>{records.length}</small>
      </h3>
      <ul class="lines" aria-label={title}>
        {records.map((record) => (
          <li key={recordText(record)} class={record.op}>
            <a class="data" href={addressOf("name", record.name)} target="_blank" rel="noreferrer">
              {lineOf(record)}
            </a>
            <Origin record={record} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Who, and since when, as far as it is known. */
function Origin({ record: { editor, deletedAt, since } }: { record: HeldSetRecord }) {
  const parts = [
    deletedAt === null ? null : (
      <>
        deleted <Age at={deletedAt} />
      </>
    ),
    editor === null ? null : <>last edited by {editor}</>,
    since === null ? null : (
      <>
        first held <Age at={since} />
      </>
    ),
  ].filter((one) => one !== null);
  return (
    <div class="faint">
      {parts.map((part, at) => (
        <>
          {at === 0 ? "" : ", "}
          {part}
        </>
      ))}
    </div>
  );
}

function lineOf({ op, name, type, setIdentifier, from, to, proof, object }: HeldSetRecord): string {
  const key = `${SIGNS[op]} ${name} ${type}${setIdentifier === null ? "" : ` [${setIdentifier}]`}`;
  const heldOp = op === "unknown" ? null : op;
  const would = wouldText({ heldOp, from, to, proof: proof as AbsenceProof | null });
  return `${key} ${would}${object === "" ? "" : `, ${object}`}`;
}
