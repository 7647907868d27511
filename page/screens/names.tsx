/** All names of all zones, by filters that are in the address. */
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
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

/** One answer. */
interface NamesPage {
  /** Of the question; empty = the first one. */
  readonly after: string;
  readonly rows: readonly NamesRow[];
  readonly next: string | null;
  /** As of which turn it is. */
  readonly turn: number;
}

/** What was had; of another path until the first answer of a new one. */
interface Loaded {
  readonly path: string;
  readonly pages: readonly NamesPage[];
  readonly total: number | null;
  readonly error: ApiError | null;
  /** How many came: after each the next question is looked for. */
  readonly answers: number;
}

const NOTHING: Loaded = { path: "", pages: [], total: null, error: null, answers: 0 };

/**
 * Each page is asked for when its place comes into sight, and those in sight again when something
 * has changed: what a screen costs does not depend on how far somebody has scrolled.
 */
function Rows({ path }: { path: string }) {
  const [loaded, setLoaded] = useState(NOTHING);
  const [turn, setTurn] = useState(0);
  const [sight, setSight] = useState<readonly [number, number]>([0, PAGE / 2]);
  const onSight = useCallback((from: number, to: number) => setSight([from, to]), []);
  useTold(() => {
    setTurn((last) => last + 1);
    setLoaded((last) =>
      last.error === null ? last : { ...last, error: null, answers: last.answers + 1 },
    );
  });
  const asked = askedPage(loaded, path, { turn, sight });
  const question = asked === null ? null : `${path}&after=${encodeURIComponent(asked.after)}`;
  useEffect(() => {
    if (asked === null || question === null) return;
    const stop = new AbortController();
    ask<NamesDocument>(question, { signal: stop.signal }).then(
      (answer) => setLoaded((last) => withPage(last, path, { ...answer, ...asked, turn })),
      (error: unknown) => {
        if (error instanceof ApiError)
          setLoaded((last) => ({ ...(last.path === path ? last : NOTHING), error }));
      },
    );
    return () => stop.abort();
  }, [question, loaded.answers]);
  const { pages, total, error } = loaded;
  const rows = useMemo(() => pages.flatMap((page) => page.rows), [pages]);
  const isMore = (pages.at(-1)?.next ?? null) !== null && error === null;
  if (pages.length === 0 && error === null)
    return (
      <p class="faint" aria-busy="true">
        Loading…
      </p>
    );
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

interface Asking {
  readonly turn: number;
  /** Rows in sight. */
  readonly sight: readonly [number, number];
}

/** The first page in sight that is not there as it is now; null = all are. */
function askedPage({ path: known, pages }: Loaded, path: string, { turn, sight }: Asking) {
  if (known !== path) return { index: 0, after: "" };
  const [from, to] = sight;
  let row = 0;
  for (const [index, page] of pages.entries()) {
    const end = row + page.rows.length;
    if (page.turn < turn && row < to && end >= from) return { index, after: page.after };
    row = end;
  }
  const after = pages.at(-1)?.next ?? null;
  return after !== null && to >= row ? { index: pages.length, after } : null;
}

interface Answered extends Pick<NamesDocument, "rows" | "next" | "total"> {
  readonly index: number;
  readonly after: string;
  readonly turn: number;
}

/** Where names came or went, what follows the page begins elsewhere now, and is asked for anew. */
function withPage(last: Loaded, path: string, answer: Answered): Loaded {
  const { index, total, ...page } = answer;
  const pages = last.path === path ? last.pages : [];
  const rest = pages[index]?.next === page.next ? pages.slice(index + 1) : [];
  const all = [...pages.slice(0, index), page, ...rest];
  return { path, pages: all, total, error: null, answers: last.answers + 1 };
}

/** `200 of 100,000 names, more as you scroll`. */
function countOf(count: number, isMore: boolean, total: number | null): string {
  const all = total === null ? "" : ` of ${total.toLocaleString("en")}`;
  const loading = total === null ? "; a zone is still being read" : "";
  const more = isMore ? ", more as you scroll" : "";
  return `${count.toLocaleString("en")}${all} names${more}${loading}`;
}

function cellsOf(row: NamesRow) {
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
          <State tone="wait">held</State>
        </>
      ) : null}
    </span>,
    <span key="object" title={[object, ...others].join(", ")}>
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
