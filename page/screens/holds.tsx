/** Changes that are wanted and not made, by reason, with what ends each. */
import { useContext, useEffect, useState } from "preact/hooks";
import { MayOrder, useAnswer } from "../api.ts";
import type { HeldSetRow, HoldReasonRow, HoldsDocument } from "../contract.ts";
import { useTold } from "../live.ts";
import { Age, Answered, Command, countText, NameLink, Part } from "../parts/basics.tsx";
import { addressOf, withQuery } from "../router.ts";
import { Approve, SETS } from "./approve.tsx";

interface Approving {
  readonly hash: string;
  /** It was another set when the person began to look. */
  readonly isGrown: boolean;
}

export function Holds({ query }: { query: URLSearchParams }) {
  const answer = useAnswer<HoldsDocument>(withQuery("holds", { zone: query.get("zone") }));
  const [approving, setApproving] = useState<Approving | null>(null);
  useTold(answer.again);
  // A set that somebody looks at may grow; then it is another one, to be read anew.
  const grown = answer.value?.heldSets.find(
    ({ formerHashes = [] }) => approving !== null && formerHashes.includes(approving.hash),
  );
  useEffect(() => {
    if (grown !== undefined) setApproving({ hash: grown.hash, isGrown: true });
  }, [grown]);
  return (
    <>
      <Answered answer={answer}>
        {({ heldSets, reasons }) => (
          <>
            {heldSets.length === 0 ? null : (
              <Part title="Waiting for approval">
                {heldSets.map((set) => (
                  <WaitingSet
                    key={set.hash}
                    set={set}
                    onApprove={() => setApproving({ hash: set.hash, isGrown: false })}
                  />
                ))}
              </Part>
            )}
            <Part title="By reason">
              {reasons.length === 0 ? (
                <p class="nothing">Nothing is held: every change that is wanted is made.</p>
              ) : (
                reasons.map((reason) => <Reason key={reason.code} reason={reason} />)
              )}
            </Part>
          </>
        )}
      </Answered>
      {approving === null ? null : (
        <Approve
          key={approving.hash}
          {...approving}
          onClose={() => {
            setApproving(null);
            answer.again();
          }}
        />
      )}
    </>
  );
}

function WaitingSet({ set, onApprove }: { set: HeldSetRow; onApprove: () => void }) {
  const { hash, kind, changes, removals, zones, command, sinceMs = null } = set;
  const mayOrder = useContext(MayOrder);
  return (
    <article class="reason" aria-label={`Set ${hash}`}>
      <h3>
        {changes === removals
          ? countText(removals, "removal")
          : `${countText(changes, "change")}, ${removals} of them removals`}
        <small>{zones.join(", ")}</small>
      </h3>
      <p class="faint">
        {SETS[kind]} Set <code>{hash}</code>
        <Since at={sinceMs} />
      </p>
      <div class="foot">
        <button type="button" class="main" onClick={onApprove}>
          {mayOrder ? "Review and approve…" : "Review…"}
        </button>
        <Command text={command} />
      </div>
    </article>
  );
}

/** `, first held 3 min ago`; nothing where it is not known. */
function Since({ at }: { at: string | number | null }) {
  return at === null ? null : (
    <>
      {", first held "}
      <Age at={at} />
    </>
  );
}

const WHO = {
  user: "Owner of the object:",
  operator: "Operator of Zonekeeper or of the zone:",
  nobody: "Resolves by itself:",
} as const;

function Reason({ reason }: { reason: HoldReasonRow }) {
  const { code, count, meaning, remedy, resolvedBy, zones, names, since } = reason;
  const rest = count - names.length;
  return (
    <article class="reason" aria-label={code}>
      <h3>
        {code}
        <small>
          {countText(count, "change")} in {zones.join(", ")}
          <Since at={since} />
        </small>
      </h3>
      <p class="sentence">{meaning}</p>
      <p>
        <b>{WHO[resolvedBy]}</b> {remedy}
      </p>
      <details open={names.length <= 5}>
        <summary>{countText(count, "name")}</summary>
        <dl>
          {names.map(({ zone, name, object, message, since: at }) => (
            <>
              <dt key={`${zone} ${name}`}>
                <NameLink name={name} />
              </dt>
              <dd key={`${zone} ${name} why`}>
                {[message === meaning ? "" : message, object && `(${object})`].join(" ").trim()}
                <Since at={at} />
              </dd>
            </>
          ))}
        </dl>
        {rest <= 0 ? null : (
          <p>
            <a href={addressOf("names", null, { state: "held" })}>and {rest} more</a>
          </p>
        )}
      </details>
    </article>
  );
}
