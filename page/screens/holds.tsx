/** Changes that are wanted and not made, by reason, with what ends each. */
import { useState } from "preact/hooks";
import { useAnswer } from "../api.ts";
import type { HeldSetRow, HoldReasonRow, HoldsDocument } from "../contract.ts";
import { useTold } from "../live.ts";
import { Answered, Command, countText, NameLink, Part } from "../parts/basics.tsx";
import { addressOf, withQuery } from "../router.ts";
import { Approve, SETS } from "./approve.tsx";

export function Holds({ query }: { query: URLSearchParams }) {
  const answer = useAnswer<HoldsDocument>(withQuery("holds", { zone: query.get("zone") }));
  const [approving, setApproving] = useState<string | null>(null);
  useTold(answer.again);
  return (
    <>
      <Answered answer={answer}>
        {({ heldSets, reasons }) => (
          <>
            {heldSets.length === 0 ? null : (
              <Part title="Wait for your approval">
                {heldSets.map((set) => (
                  <WaitingSet key={set.hash} set={set} onApprove={() => setApproving(set.hash)} />
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
          hash={approving}
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
  const { hash, kind, changes, removals, zones, command } = set;
  return (
    <article class="reason" aria-label={`Set ${hash}`}>
      <h3>
        {countText(changes, "change")}, {countText(removals, "removal")}
        <small>{zones.join(", ")}</small>
      </h3>
      <p class="faint">
        {SETS[kind]} <code>{hash}</code>
      </p>
      <div class="foot">
        <button type="button" class="main" onClick={onApprove}>
          Look and approve…
        </button>
        <Command text={command} />
      </div>
    </article>
  );
}

const WHO = {
  user: "Who has the object:",
  operator: "Who runs Zonekeeper or the zone:",
  nobody: "It passes by itself.",
} as const;

function Reason({ reason }: { reason: HoldReasonRow }) {
  const { code, count, meaning, remedy, resolvedBy, zones, names } = reason;
  const rest = count - names.length;
  return (
    <article class="reason" aria-label={code}>
      <h3>
        {code}
        <small>
          {countText(count, "change")} in {zones.join(", ")}
        </small>
      </h3>
      <p>{meaning}</p>
      <p>
        <b>{WHO[resolvedBy]}</b> {remedy}
      </p>
      <details open={names.length <= 5}>
        <summary>{countText(count, "name")}</summary>
        <dl>
          {names.map(({ zone, name, object, message }) => (
            <>
              <dt key={`${zone} ${name}`}>
                <NameLink name={name} />
              </dt>
              <dd key={`${zone} ${name} why`}>
                {message}
                {object === "" ? "" : ` (${object})`}
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
