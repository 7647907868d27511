/** Where objects come from and where records go: what is watched, and what accounts have left. */
import { useAnswer } from "../api.ts";
import type { AccountRow, CacheRow, ClustersDocument } from "../contract.ts";
import { useTold } from "../live.ts";
import { Age, Answered, Notice, Part, Scrollable, State, type Tone } from "../parts/basics.tsx";
import { durationText } from "../parts/chart.tsx";

const CACHES: Readonly<Record<CacheRow["state"], readonly [Tone, string]>> = {
  live: ["good", "live"],
  syncing: ["wait", "listing"],
  stale: ["bad", "disconnected"],
  forbidden: ["bad", "forbidden"],
  absent: ["off", "not served"],
};

export function Clusters() {
  const answer = useAnswer<ClustersDocument>("clusters");
  useTold(answer.again);
  return (
    <Answered answer={answer}>
      {({ clusters, caches, accounts, troubled }) => (
        <>
          {troubled.map(({ provider, message }) => (
            <Notice key={provider} tone="bad">
              DNSProvider <b>{provider}</b> serves no zone: {message}
            </Notice>
          ))}
          <Part title="Accounts">
            <Table
              label="Accounts"
              head={["DNSProviders", "Zones", "Budget used", "State"]}
              rows={accounts.map((one) => [one.account, accountCells(one)])}
            />
          </Part>
          <Part title="Watched">
            <Table
              label="Watched kinds"
              head={["Kind", "Cluster", "State", "Objects", "Last answer"]}
              rows={caches.map((one) => [`${one.cluster} ${one.kind}`, cacheCells(one)])}
            />
          </Part>
          {clusters.length === 0 ? null : (
            <Part title="Further source clusters">
              <Table
                label="Further source clusters"
                head={["Cluster", "Mode", "State", "Objects", "Last answer", "From"]}
                rows={clusters.map(
                  ({ id, mode, state, objects, answeredAt, origin, message }) =>
                    [
                      id,
                      [
                        id,
                        mode,
                        <>
                          <State tone={state === "Live" ? "good" : "bad"}>{state}</State> {message}
                        </>,
                        objects.toLocaleString("en"),
                        answeredAt === null ? "never" : <Age at={answeredAt} />,
                        origin,
                      ],
                    ] as const,
                )}
              />
            </Part>
          )}
        </>
      )}
    </Answered>
  );
}

function accountCells({ providers, zones, usedRatio, refusedMs, trouble }: AccountRow) {
  const percent = `${Math.round(usedRatio * 100)} %`;
  return [
    providers.join(", "),
    zones.join(", "),
    <span key="used">
      <meter
        min={0}
        max={1}
        high={0.8}
        optimum={0}
        value={usedRatio}
        aria-label={`Budget used: ${percent}`}
      />{" "}
      {percent}
    </span>,
    trouble !== null ? (
      <State key="state" tone="bad">
        {trouble}
      </State>
    ) : refusedMs > 0 ? (
      <State key="state" tone="bad">
        refusing calls for {durationText(refusedMs)}
      </State>
    ) : (
      <State key="state" tone="good">
        accepting calls
      </State>
    ),
  ];
}

function cacheCells({ cluster, kind, state, message, objects, answeredAt }: CacheRow) {
  const [tone, words] = CACHES[state];
  return [
    kind,
    <span key="cluster" class="whole">
      {cluster}
    </span>,
    <span key="state">
      <State tone={tone}>{words}</State> {message}
    </span>,
    objects === null ? "" : objects.toLocaleString("en"),
    answeredAt === null ? "not yet" : <Age key="answered" at={answeredAt} />,
  ];
}

type Cell = preact.ComponentChildren;

function Table(props: {
  label: string;
  head: readonly string[];
  rows: readonly (readonly [string, readonly Cell[]])[];
}) {
  const { label, head, rows } = props;
  if (rows.length === 0) return <p class="nothing">None.</p>;
  return (
    <Scrollable label={label}>
      <table>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, [first, ...cells]]) => (
            <tr key={key}>
              <th scope="row">{first}</th>
              {cells.map((cell, index) => (
                <td key={head[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
