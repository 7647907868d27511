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

export function Plan({ query }: { query: URLSearchParams }) {
  const filter = { zone: query.get("zone"), name: query.get("name") };
  const limit = query.get("all") === null ? LIMIT : LIMIT_MAX;
  const answer = useAnswer<PlanDocument>(withQuery("plan", { ...filter, limit }));
  useTold(answer.again);
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
  return (
    <section class="part">
      <h2>{title}</h2>
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
