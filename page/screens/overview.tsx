/** What needs a person now, and what has happened. */
import { useState } from "preact/hooks";
import { useAnswer } from "../api.ts";
import type {
  HistoryChange,
  HistoryDocument,
  SeriesDocument,
  ZoneRow,
  ZonesDocument,
} from "../contract.ts";
import { type Told, useTold } from "../live.ts";
import { Answered, Notice, Part, type Tone } from "../parts/basics.tsx";
import { Changes, joinChanges } from "../parts/changes.tsx";
import { Chart } from "../parts/chart.tsx";
import { addressOf } from "../router.ts";

export function Overview() {
  const zones = useAnswer<ZonesDocument>("zones");
  const history = useAnswer<HistoryDocument>(`history?limit=${CHANGES}`);
  const [taken, setTaken] = useState<readonly HistoryChange[]>([]);
  const series = useAnswer<SeriesDocument>("series");
  useTold(history.again, ({ changes }: Told) => {
    if (changes !== undefined && changes.length > 0)
      setTaken((last) => joinChanges(changes, last).slice(0, CHANGES));
    return changes === undefined || history.error !== null;
  });
  useTold(zones.again, undefined, ZONES_MS);
  useTold(series.again, undefined, SERIES_MS);
  return (
    <>
      <Answered answer={zones}>{(value) => <Figures zones={value.zones} />}</Answered>
      <Part title="Last 24 hours">
        <Answered answer={series}>{(value) => <Chart series={value} />}</Answered>
      </Part>
      <Part title="Last changes">
        <Answered answer={history}>
          {({ changes }) => <Changes changes={joinChanges(taken, changes).slice(0, CHANGES)} />}
        </Answered>
      </Part>
    </>
  );
}

const CHANGES = 12;
/** Between two questions for counts, whose changes are listed below them at once. */
const ZONES_MS = 4_000;
/** Between two questions for the chart, whose bars are a quarter of an hour. */
const SERIES_MS = 10_000;

interface Figure {
  readonly count: number;
  /** Of one and of several. */
  readonly words: readonly [one: string, many: string];
  readonly href: string;
  readonly tone: Tone;
}

function Figures({ zones }: { zones: readonly ZoneRow[] }) {
  const sum = (of: (zone: ZoneRow) => number): number =>
    zones.reduce((total, zone) => total + of(zone), 0);
  const held = sum(({ holds }) => holds.reduce((total, { count }) => total + count, 0));
  const sets = new Set(zones.flatMap(({ heldSets }) => heldSets.map(({ hash }) => hash)));
  const unwell = zones.filter(({ state, trouble }) => state !== "ready" || trouble !== null);
  const paused = zones.filter((zone) => zone.paused !== null);
  const failing = sum(({ failingNames }) => failingNames);
  const figures: readonly Figure[] = [
    {
      count: sum(({ ownedNames }) => ownedNames),
      words: ["managed name", "managed names"],
      href: addressOf("names"),
      tone: "off",
    },
    { count: zones.length, words: ["zone", "zones"], href: addressOf("zones"), tone: "off" },
    {
      count: sets.size,
      words: ["set waits for approval", "sets wait for approval"],
      href: addressOf("holds"),
      tone: sets.size > 0 ? "wait" : "off",
    },
    {
      count: held,
      words: ["change held", "changes held"],
      href: addressOf("holds"),
      tone: held > 0 ? "wait" : "off",
    },
    {
      count: failing,
      words: ["name fails to be written", "names fail to be written"],
      href: addressOf("names", null, { state: "failing" }),
      tone: failing > 0 ? "bad" : "off",
    },
  ];
  return (
    <>
      {unwell.map(({ key, zone, message, trouble, state }) => (
        <Notice key={key.account + key.zone} tone={state === "loading" ? "wait" : "bad"}>
          <b>{zone.name}</b>{" "}
          {state === "loading"
            ? "is being read: nothing is known yet"
            : (trouble ?? message ?? state)}
        </Notice>
      ))}
      {paused.map(({ key, paused: why }) => (
        <Notice key={key.account + key.zone} tone="wait">
          {why}
        </Notice>
      ))}
      {zones.length === 0 ? (
        <Notice tone="wait">No zone is open: no DNSProvider is ready.</Notice>
      ) : null}
      <ul class="figures">
        {figures.map(({ count, words, href, tone }) => (
          <li key={href + words}>
            <a class={tone} href={href}>
              <b>{count.toLocaleString("en")}</b> {words[count === 1 ? 0 : 1]}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
