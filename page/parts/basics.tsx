/** Small pieces that all screens are made of. */
import type { ComponentChildren, Ref } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { ageText } from "../../src/app/commands/ask/texts/history-text.ts";
import type { Answer, ApiError } from "../api.ts";
import { addressOf } from "../router.ts";
import { typed } from "./printable-text.ts";

/** How something is; each has a word of its own, because a colour alone says nothing to many. */
export type Tone = "good" | "wait" | "bad" | "off";

const MARKS: Readonly<Record<Tone, string>> = { good: "✓", wait: "…", bad: "✕", off: "–" };

/** A state as a sign with its word. */
export function State({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`state ${tone}`}>
      <span aria-hidden="true">{MARKS[tone]}</span> {children}
    </span>
  );
}

/** Data as DNS has it: never reordered, never broken into two. */
export function Data({ children }: { children: ComponentChildren }) {
  return <code class="data">{children}</code>;
}

/** A name that leads to its screen. */
export function NameLink({ name }: { name: string }) {
  return (
    <a class="data" href={addressOf("name", name)}>
      {name}
    </a>
  );
}

/** How long ago it was, and when, in local time. `at` is RFC 3339 or Unix milliseconds. */
export function Age({ at }: { at: string | number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={localTime(date)}>
      {ageText(now - date.getTime())}
    </time>
  );
}

/** ISO 8601 in local time: the one locale with that form, without a library. */
export function localTime(date: Date): string {
  return date.toLocaleString("sv-SE");
}

/** A command that a person can take along. */
export function Command({ text }: { text: string }) {
  const [said, setSaid] = useState("");
  const copy = (): void => {
    navigator.clipboard.writeText(typed(text)).then(
      () => setSaid("copied"),
      () => setSaid("not copied: select it"),
    );
  };
  return (
    <div class="command">
      <code>{text}</code>
      <button type="button" onClick={copy} aria-label={`Copy the command ${text}`}>
        {said === "" ? "Copy" : said}
      </button>
      <span class="hidden" role="status">
        {said}
      </span>
    </div>
  );
}

/** A part of a screen with its heading. */
export function Part(props: { title: string; note?: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h2>
        {props.title}
        {props.note === undefined ? null : <small>{props.note}</small>}
      </h2>
      {props.children}
    </section>
  );
}

/** What a person has to know before all else. */
export function Notice({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** A mistake of the page is said, and does not hide the rest. */
export function Guarded({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <Notice tone="bad">
      This screen failed: {String(error)}. The command line shows the same: zonekeeper plan,
      zonekeeper explain.
    </Notice>
  );
}

/** Why an answer is not there; null = it is. */
export function Trouble({ error }: { error: ApiError | null }) {
  if (error === null) return null;
  return (
    <Notice tone="bad">
      <b>{error.code}</b> {error.message}
    </Notice>
  );
}

/** What an answer shows, under the trouble of a newer one: unknown is not empty. */
export function Answered<T>(props: {
  answer: Answer<T>;
  children: (value: T) => ComponentChildren;
}) {
  const { value, error } = props.answer;
  return (
    <>
      <Trouble error={error} />
      {error !== null && value !== null ? (
        <p class="faint">Below is the last known state.</p>
      ) : null}
      {value === null
        ? error === null && (
            <p class="faint" aria-busy="true">
              Loading…
            </p>
          )
        : props.children(value)}
    </>
  );
}

/** What may be larger than its place; who has no mouse scrolls it by keys. */
export function Scrollable(props: {
  label: string;
  children: ComponentChildren;
  class?: string;
  box?: Ref<HTMLElement>;
  onScroll?: () => void;
}) {
  const { label, children, class: of = "wide", box = null, onScroll } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class={of} ref={box} tabIndex={0} aria-label={label} onScroll={onScroll}>
      {children}
    </section>
  );
}

/** Something countable: `1 change`, `2 changes`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
