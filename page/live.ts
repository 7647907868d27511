/**
 * What changed, as the instance tells it while the page is open. One stream for all screens; while
 * it is lost a person is told, and screens ask again once it is back.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { useEffect, useRef, useState } from "preact/hooks";
import { API, RETRY_MS } from "./api.ts";
import type { HistoryChange } from "./contract.ts";

/** What is known of the stream. `ended`: the session is over, or nobody leads here. */
export type LiveState = "opening" | "live" | "lost" | "ended";

/** What an event says. */
export interface Told {
  /** What may be different; a zone without names = the zone as a whole. */
  readonly zones: readonly ToldZone[];
  /**
   * What zones have taken since the event before, the newest first; so many as the overview lists.
   * Absent = that has to be asked for.
   */
  readonly changes?: readonly HistoryChange[];
}

interface ToldZone {
  readonly zone: string;
  readonly names: readonly string[];
  /** Names that are not listed. */
  readonly more: number;
}

/** Null = anything may be different. */
type Listener = (told: Told | null) => void;

const EVENTS = `${API}/events`;
/** Milliseconds in which what is told is gathered to one question; the instance gathers, too. */
const GATHER_MS = 20;

const listeners = new Set<Listener>();
const watchers = new Set<(state: LiveState) => void>();
let state: LiveState = "opening";
let source: EventSource | null = null;

function become(next: LiveState): void {
  state = next;
  for (const watcher of watchers) watcher(next);
}

function tell(told: Told | null): void {
  for (const listener of listeners) listener(told);
}

function open(): void {
  source = new EventSource(EVENTS);
  const mine = source;
  mine.onopen = () => become("live");
  mine.onerror = () => {
    // A browser tries again by itself after a cut, with the id of what it had; not after a refusal.
    const isRefused = mine.readyState === EventSource.CLOSED;
    become(isRefused ? "ended" : "lost");
    if (isRefused) setTimeout(open, RETRY_MS);
  };
  mine.addEventListener("changed", ({ data }) => tell(toldIn(String(data))));
  // Of a stream that begins anew, and where some were not kept.
  mine.addEventListener("hello", () => tell(null));
  mine.addEventListener("reset", () => tell(null));
}

function toldIn(data: string): Told | null {
  const told = (jsonIn(data) ?? {}) as Partial<Told>;
  return told.zones === undefined ? null : { ...told, zones: told.zones };
}

/** Where no stream is had: as if all had changed, every so often. The answer ends it. */
export function tellEvery(periodMs: number): () => void {
  const timer = setInterval(() => tell(null), periodMs);
  return () => clearInterval(timer);
}

/** Whether what is told may be about this name. */
export function isAboutName({ zones }: Told, name: string): boolean {
  return zones.some(
    ({ names, more, zone }) =>
      names.includes(name) || ((more > 0 || names.length === 0) && isWithin(name, zone)),
  );
}

function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** Whether the page is told of changes. */
export function useLiveState(): LiveState {
  const [known, setKnown] = useState(state);
  useEffect(() => {
    if (source === null) open();
    watchers.add(setKnown);
    setKnown(state);
    return () => {
      watchers.delete(setKnown);
    };
  }, []);
  return known;
}

/**
 * Calls `act` a moment after something changed that `isAbout` accepts, which sees each event that
 * says what. `leastMs`: from one call to the next, where an answer costs the instance much.
 */
export function useTold(
  act: () => void,
  isAbout: (told: Told) => boolean = () => true,
  leastMs = 0,
): void {
  const now = useRef({ act, isAbout, leastMs });
  now.current = { act, isAbout, leastMs };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let lastMs = performance.now();
    const listener: Listener = (told) => {
      const isAsked = told === null || now.current.isAbout(told);
      if (timer !== null || !isAsked) return;
      timer = setTimeout(
        () => {
          timer = null;
          lastMs = performance.now();
          now.current.act();
        },
        Math.max(GATHER_MS, lastMs + now.current.leastMs - performance.now()),
      );
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (timer !== null) clearTimeout(timer);
    };
  }, []);
}
