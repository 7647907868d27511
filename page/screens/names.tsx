/** All names of all zones, by filters that are in the address. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, ask, useAnswer } from "../api.ts";
import type { NamesDocument, NamesRow, ZonesDocument } from "../contract.ts";
import { useTold } from "../live.ts";
import { NameLink, State, type Tone, Trouble } from "../parts/basics.tsx";
import { LongList } from "../parts/long-list.tsx";
import { addressOf, go, withQuery } from "../router.ts";

const FILTERS = ["text", "zone", "state", "object", "owner"] as const;
type Filter = (typeof FILTERS)[number];
type Filters = Readonly<Record<Filter, string | null>>;

const STATES: Readonly<Record<NamesRow["state"], readonly [Tone, string]>> = {
  published: ["good", "published"],
  held: ["wait", "held"],
  failing: ["bad", "fails"],
  pending: ["wait", "to be written"],
  waiting: ["wait", "has no address"],
  foreign: ["off", "foreign"],
  marker: ["off", "marker only"],
};

/** Names in one answer, the most that there are. */
const PAGE = 200;
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
      <Rows path={withQuery("names", { ...filters, limit: PAGE })} />
    </>
  );
}

interface Loaded {
  readonly path: string;
  readonly rows: readonly NamesRow[];
  readonly next: string | null;
  readonly total: number | null;
  readonly error: ApiError | null;
}

/** Pages that were read are kept; each further one is asked for when its place comes into sight. */
function Rows({ path }: { path: string }) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const isAsking = useRef(false);
  const turn = useRef(0);
  const load = useCallback(
    async (known: Loaded | null, rowsWanted: number) => {
      const mine = turn.current;
      isAsking.current = true;
      let result: Loaded = known ?? { path, rows: [], next: "", total: null, error: null };
      try {
        do {
          const after = result.next === "" ? "" : `&after=${encodeURIComponent(result.next ?? "")}`;
          const { rows, next, total } = await ask<NamesDocument>(`${path}${after}`);
          result = { path, rows: [...result.rows, ...rows], next, total, error: null };
        } while (result.next !== null && result.rows.length < rowsWanted && mine === turn.current);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        result = { ...result, error };
      }
      if (mine !== turn.current) return;
      isAsking.current = false;
      setLoaded(result);
    },
    [path],
  );
  const begin = useCallback(
    (rowsWanted: number) => {
      turn.current += 1;
      void load(null, rowsWanted);
    },
    [load],
  );
  useEffect(() => begin(PAGE / 2), [begin]);
  useTold(() => begin(Math.max(PAGE / 2, loaded?.rows.length ?? 0)));
  const isMore = loaded !== null && loaded.next !== null && loaded.error === null;
  const onEnd = useCallback(() => {
    if (isAsking.current || loaded === null) return;
    void load(loaded, loaded.rows.length + 1);
  }, [load, loaded]);
  if (loaded === null)
    return (
      <p class="faint" aria-busy="true">
        Asking…
      </p>
    );
  const { rows, total, error } = loaded;
  return (
    <>
      <Trouble error={error} />
      <p class="faint" role="status">
        {countOf(rows.length, isMore, total)}
      </p>
      {rows.length === 0 && !isMore ? (
        <p class="nothing">No name is so.</p>
      ) : (
        <LongList
          label="Names"
          columns={["Name", "Records", "State", "Object"]}
          rows={rows}
          keyOf={({ zone, name, owner }) => `${zone} ${name} ${owner}`}
          cells={cellsOf}
          onEnd={isMore ? onEnd : null}
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

function cellsOf({ name, types, values, state, code, message, object, owner }: NamesRow) {
  const [tone, words] = STATES[state];
  const records = types.length === 0 ? "" : `${types.join(" ")} ${values.join(", ")}`;
  return [
    <NameLink key="name" name={name} />,
    <code key="records" class="data" title={records}>
      {records}
    </code>,
    <span key="state" title={message}>
      <State tone={tone}>{code === "" ? words : `${words}: ${code}`}</State>
    </span>,
    <span key="object" title={object}>
      {object === "" ? ownerText(owner) : object}
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
