/** All names of all zones, by filters that are in the address. */
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError, ask, RETRY_MS, useAnswer } from "../api.ts";
import type { NameRow, NamesDocument, ZonesDocument } from "../contract.ts";
import { type Told, useTold } from "../live.ts";
import { NameLink, State, type Tone, Trouble } from "../parts/basics.tsx";
import { LongList } from "../parts/long-list.tsx";
import { addressOf, go, withQuery } from "../router.ts";
import {
  askedPage,
  NOTHING,
  PAGE,
  type Shown,
  type Sight,
  withError,
  withPage,
  withTold,
} from "./name-pages.ts";

const FILTERS = ["text", "zone", "state", "object", "owner"] as const;
type Filter = (typeof FILTERS)[number];
type Filters = Readonly<Record<Filter, string | null>>;

const STATES: Readonly<Record<NameRow["state"], readonly [Tone, string]>> = {
  published: ["good", "published"],
  held: ["wait", "held"],
  failing: ["bad", "fails"],
  pending: ["wait", "to be written"],
  waiting: ["wait", "has no address"],
  foreign: ["off", "foreign"],
  marker: ["off", "marker only"],
};

/** Between two questions for how many names there are, also where none in sight is meant. */
const COUNT_MS = 4_000;
/** Letters of a filter are gathered so many milliseconds. */
const PAUSE_MS = 200;

export function Names({ query }: { query: URLSearchParams }) {
  const filters = Object.fromEntries(FILTERS.map((key) => [key, query.get(key)])) as Filters;
  const zones = useAnswer<ZonesDocument>("zones");
  const apexes = [...new Set((zones.value?.zones ?? []).map(({ zone }) => zone.name))];
  const set = (key: Filter, value: string): void =>
    go(addressOf("names", null, { ...filters, [key]: value }), true);
  return (
    <>
      <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <Field label="Part of the name" value={filters.text} onText={(text) => set("text", text)} />
        <Choice
          label="Zone"
          value={filters.zone}
          all="all zones"
          choices={apexes.map((apex) => [apex, apex] as const)}
          onChoice={(zone) => set("zone", zone)}
        />
        <Choice
          label="State"
          value={filters.state}
          all="all states"
          choices={Object.entries(STATES).map(([state, [, words]]) => [state, words] as const)}
          onChoice={(state) => set("state", state)}
        />
        <Field
          label="Part of the object"
          value={filters.object}
          onText={(object) => set("object", object)}
        />
        <Field label="Owner id" value={filters.owner} onText={(owner) => set("owner", owner)} />
      </form>
      <Rows path={withQuery("names", { ...filters, limit: PAGE })} shown={filters} />
    </>
  );
}

/**
 * Each page is asked for when its place comes into sight, and those in sight again when something
 * has changed: what a screen costs does not depend on how far somebody has scrolled.
 */
function Rows({ path, shown }: { path: string; shown: Shown }) {
  const [loaded, setLoaded] = useState(NOTHING);
  const [sight, setSight] = useState<Sight>([0, PAGE / 2]);
  const onSight = useCallback((from: number, to: number) => setSight([from, to]), []);
  const hear = (told: Told | null): void =>
    setLoaded((last) => withTold(last, told, { sight, shown }));
  useTold(
    () => hear(null),
    (told) => {
      hear(told);
      return false;
    },
  );
  const count = useAnswer<NamesDocument>(withQuery("names", { zone: shown.zone, limit: 1 }));
  useTold(count.again, undefined, COUNT_MS);
  const asked = askedPage(loaded, path, sight);
  const { turn } = loaded;
  const question = asked === null ? null : `${path}&after=${encodeURIComponent(asked.after)}`;
  useEffect(() => {
    if (asked === null || question === null) return;
    const stop = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    ask<NamesDocument>(question, { signal: stop.signal }).then(
      (answer) => setLoaded((last) => withPage(last, path, { ...answer, ...asked, turn })),
      (error: unknown) => {
        if (!(error instanceof ApiError)) return;
        setLoaded((last) => withError(last, path, error));
        if (error.status === 0) retry = setTimeout(() => hear(null), RETRY_MS);
      },
    );
    return () => {
      stop.abort();
      clearTimeout(retry);
    };
  }, [question, loaded.answers]);
  const { pages, counted, error } = loaded;
  const { value: all } = count;
  const total = ((all?.now ?? "") > (counted?.now ?? "") ? all : counted)?.total ?? null;
  const rows = useMemo(() => pages.flatMap((page) => page.rows), [pages]);
  const isMore = (pages.at(-1)?.next ?? null) !== null && error === null;
  if (pages.length === 0 && error === null)
    return (
      <p class="faint" aria-busy="true">
        Loading…
      </p>
    );
  if (pages.length === 0) return <Trouble error={error} />;
  return (
    <>
      <Trouble error={error} />
      <p class="faint" role="status">
        {countOf(rows.length, isMore, total)}
      </p>
      {rows.length === 0 && !isMore ? (
        <p class="nothing">No names match these filters.</p>
      ) : (
        <LongList
          label="Names"
          columns={["Name", "Records", "State", "Object"]}
          rows={rows}
          keyOf={({ zone, name, owner }) => `${zone} ${name} ${owner}`}
          cells={cellsOf}
          onSight={onSight}
        />
      )}
    </>
  );
}

/** `200 of 100,000 names, more as you scroll`. */
function countOf(count: number, isMore: boolean, total: number | null): string {
  const all = total === null ? "" : ` of ${total.toLocaleString("en")}`;
  const loading = total === null ? "; a zone is still being read" : "";
  const more = isMore ? ", more as you scroll" : "";
  return `${count.toLocaleString("en")}${all} names${more}${loading}`;
}

function cellsOf(row: NameRow) {
  const { name, types, values, state, code, message, object, owner, others } = row;
  const [tone, words] = STATES[state];
  const isHeld = state === "published" && code !== "";
  const records = types.length === 0 ? "" : `${types.join(" ")} ${values.join(", ")}`;
  return [
    <NameLink key="name" name={name} />,
    <code key="records" class="data" title={records}>
      {records}
    </code>,
    <span key="state" title={message}>
      <State tone={tone}>{code === "" || isHeld ? words : `${words}: ${code}`}</State>
      {isHeld ? (
        <>
          {" "}
          <State tone="wait">held: {code}</State>
        </>
      ) : null}
    </span>,
    <span key="object" title={[object, ...others].join(", ")}>
      {object !== "" && state === "held" ? "wanted by " : ""}
      {object === "" ? ownerText(owner) : object}
      {others.length === 0 ? null : <span class="faint">, not used: {others.join(", ")}</span>}
    </span>,
  ];
}

function ownerText(owner: string): string {
  return owner === "" ? "no owner" : `owner ${owner}`;
}

interface FieldProps {
  readonly label: string;
  readonly value: string | null;
  readonly onText: (text: string) => void;
}

function Field({ label, value, onText }: FieldProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const change = (event: Event): void => {
    const { value: text } = event.currentTarget as HTMLInputElement;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onText(text.trim()), PAUSE_MS);
  };
  return (
    <label>
      {label}
      <input type="search" defaultValue={value ?? ""} onInput={change} spellcheck={false} />
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | null;
  readonly all: string;
  /** Values with their words. */
  readonly choices: readonly (readonly [string, string])[];
  readonly onChoice: (value: string) => void;
}

function Choice({ label, value, all, choices, onChoice }: ChoiceProps) {
  return (
    <label>
      {label}
      <select
        value={value ?? ""}
        onChange={(event) => onChoice((event.currentTarget as HTMLSelectElement).value)}
      >
        <option value="">{all}</option>
        {choices.map(([key, words]) => (
          <option key={key} value={key} selected={key === value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
