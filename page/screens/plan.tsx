/** All that is not as it should be, as `zonekeeper plan` says it. */
import {
  blindLines,
  groupTitle,
  isTitled,
  itemLine,
  totalText,
  zoneRemarks,
} from "../../src/app/commands/ask/texts/plan-lines.ts";
import { useAnswer } from "../api.ts";
import type { PlanDocument, PlanGroup } from "../contract.ts";
import { useTold } from "../live.ts";
import { Answered, Notice } from "../parts/basics.tsx";
import { addressOf, withQuery } from "../router.ts";

/** Changes that are listed, unless more are asked for. */
const LIMIT = 500;
const LIMIT_MAX = 5_000;
/** Between two questions, in times that an answer took; and the most. */
const WAITS = 20;
const WAIT_MAX_MS = 30_000;

export function Plan({ query }: { query: URLSearchParams }) {
  const filter = { zone: query.get("zone"), name: query.get("name") };
  const limit = query.get("all") === null ? LIMIT : LIMIT_MAX;
  const answer = useAnswer<PlanDocument>(withQuery("plan", { ...filter, limit }));
  // A plan looks at every object: with many of them it is asked for no more often than they bear.
  useTold(answer.again, undefined, Math.min(WAIT_MAX_MS, WAITS * answer.tookMs));
  return (
    <Answered answer={answer}>
      {(plan) => {
        const remarks = [...new Set(plan.zones.flatMap(zoneRemarks))];
        const { omitted } = plan.summary;
        return (
          <>
            <p>
              <b>{totalText(plan)}</b>
            </p>
            {plan.dryRun === null || plan.dryRun === undefined ? null : (
              <Notice tone="wait">{plan.dryRun}</Notice>
            )}
            {[...plan.firstContact, ...blindLines(plan), ...remarks].map((line) => (
              <Notice key={line} tone="wait">
                {line}
              </Notice>
            ))}
            {plan.groups.length === 0 ? (
              <p class="nothing">Nothing to do.</p>
            ) : (
              plan.groups.map((group) => <Group key={groupTitle(group)} group={group} />)
            )}
            {omitted === 0 ? null : (
              <p>
                {omitted} more are not listed.{" "}
                {limit === LIMIT ? (
                  <a href={addressOf("plan", null, { ...filter, all: "yes" })}>List more</a>
                ) : (
                  "zonekeeper plan --all lists them."
                )}
              </p>
            )}
          </>
        );
      }}
    </Answered>
  );
}

function Group({ group }: { group: PlanGroup }) {
  const titled = isTitled(group);
  const title = groupTitle(group);
  // `ZONE: WHAT, COUNT: WHY`; names and counts have no colon.
  const [, what = title, why = ""] = /^([^:]*: [^:]*): (.*)$/.exec(title) ?? [];
  return (
    <section class="part">
      <h2>{what}</h2>
      {why === "" ? null : <p>{why}</p>}
      <ul class="lines" aria-label={title}>
        {group.items.map((item) => (
          <li key={`${item.name} ${item.type} ${item.setIdentifier}`} class={item.op}>
            <a class="data" href={addressOf("name", item.name)}>
              {itemLine(item, titled)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
