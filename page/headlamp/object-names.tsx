/** What zones say about the names of one object, why and since when. */
import { useEffect, useState } from "preact/hooks";
import { type Send, Sender, useAnswer } from "../api.ts";
import type { ChainDocument, NamesDocument } from "../contract.ts";
import { tellEvery, useTold } from "../live.ts";
import { Answered, Command, Data, Guarded, Notice } from "../parts/basics.tsx";
import { Explained } from "../screens/name.tsx";

/** Headlamp is told of nothing: it asks. */
const PERIOD_MS = 15_000;
const NAMES_MAX = 200;

/** `object`: `service/default/web`. `name`: the one that it has for certain; null = unknown. */
interface Shown {
  readonly object: string;
  readonly name: string | null;
}

/** See above; `send` leads to the instance. */
export function ObjectNames({ send, ...shown }: Shown & { readonly send: Send }) {
  useEffect(() => tellEvery(PERIOD_MS), []);
  return (
    <Sender.Provider value={send}>
      <Guarded>
        <Names {...shown} />
      </Guarded>
    </Sender.Provider>
  );
}

function Names({ object, name }: Shown) {
  const [chosen, setChosen] = useState(name);
  const query = `names?object=${encodeURIComponent(object)}&limit=${NAMES_MAX}`;
  const answer = useAnswer<NamesDocument>(query);
  useTold(answer.again);
  /** A name in what is shown leads to it, and not to a page that Headlamp has not. */
  const follow = (event: Event): void => {
    const link = (event.target as Element).closest("a[href^='#/name/']");
    if (link === null) return;
    event.preventDefault();
    setChosen(decodeURIComponent(link.getAttribute("href")?.slice("#/name/".length) ?? ""));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links in it are what is pressed
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is pressed by a key is clicked
    <div onClick={follow}>
      <Answered answer={answer}>
        {({ rows }) => {
          const own = rows.filter((row) => row.object.toLowerCase() === object.toLowerCase());
          const names = [
            ...new Set([...(name === null ? [] : [name]), ...own.map((row) => row.name)]),
          ];
          const [first] = names;
          const now = chosen ?? first;
          if (now === undefined) return <None />;
          return (
            <>
              {names.length < 2 ? null : (
                <p class="filters">
                  {names.map((one) => (
                    <button
                      key={one}
                      type="button"
                      aria-pressed={one === now}
                      class={one === now ? "main" : ""}
                      onClick={() => setChosen(one)}
                    >
                      <Data>{one}</Data>
                    </button>
                  ))}
                </p>
              )}
              <h2>
                <Data>{now}</Data>
              </h2>
              <OneName key={now} name={now} />
            </>
          );
        }}
      </Answered>
    </div>
  );
}

function None() {
  return (
    <>
      <p>No zone has a name for this object. If it is to have one:</p>
      <Command text="kubectl zonekeeper explain NAME" />
    </>
  );
}

function OneName({ name }: { name: string }) {
  const answer = useAnswer<Partial<ChainDocument>>(
    `explain/${encodeURIComponent(name)}?chain=true`,
  );
  useTold(answer.again);
  return (
    <Answered answer={answer}>
      {(value) => (isChain(value) ? <Explained document={asPlugin(value)} /> : <Older />)}
    </Answered>
  );
}

/** Who is in Headlamp has kubectl, and no shell beside the instance. */
function asPlugin(value: ChainDocument): ChainDocument {
  const commands = value.commands.map((line) =>
    line.replace(/^zonekeeper /, "kubectl zonekeeper "),
  );
  return { ...value, commands };
}

function isChain(value: Partial<ChainDocument>): value is ChainDocument {
  const { chain, commands, zones, resolvers, wishes, providers, unread } = value;
  return [chain, commands, zones, resolvers, wishes, providers, unread].every(Array.isArray);
}

function Older() {
  return (
    <Notice tone="wait">
      The instance is of another version than this plugin, and does not tell the way of a name. Its
      own words: <Command text="kubectl zonekeeper explain NAME" />
    </Notice>
  );
}
