/** Questions and orders to the instance that served the page. An answer that fails is told, never guessed. */
import { jsonIn } from "@zonekeeper/base/json-text";
import { createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";

/** Where the API is, from the page. */
export const API = "../api/v1";

/** What the instance said when it did not answer as asked. `code` as in its documents. */
export class ApiError extends Error {
  readonly code: string;
  /** HTTP status; 0 = it was not reached. */
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** How a question is sent. `path` is below the API: `plan?limit=20`. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

const toOrigin: Send = (path, init) =>
  fetch(`${API}/${path}`, { ...init, credentials: "same-origin" });

/** The way to the instance of what is shown below it; the page's is its origin. */
export const Sender = createContext<Send>(toOrigin);

/** Whether who looks may approve and undo; else no button offers it. */
export const MayOrder = createContext(false);

/** Rejects with ApiError. */
export async function ask<T>(path: string, init: RequestInit = {}, send = toOrigin): Promise<T> {
  const response = await send(path, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    if (error instanceof ApiError) throw error;
    throw new ApiError("NotReached", "the instance does not answer; is it running?", 0);
  });
  const text = await response.text();
  const answer = jsonIn(text);
  if (response.ok && answer !== undefined) return answer as T;
  const { code = "HttpError", message = text.slice(0, 200) } = (answer ?? {}) as Partial<ApiError>;
  throw new ApiError(code, message, response.status);
}

/** An answer, and whether it is as of now. */
export interface Answer<T> {
  /** The last one that was had; null = none yet. */
  readonly value: T | null;
  /** Why there is no newer one; null = it is as the instance has it. */
  readonly error: ApiError | null;
  readonly isAsking: boolean;
  /** Milliseconds that the last one took. */
  readonly tookMs: number;
  readonly again: () => void;
}

/** Milliseconds until an instance that was not reached, or ended its stream, is asked again. */
export const RETRY_MS = 3_000;

interface Kept<T> {
  readonly path: string | null;
  readonly value: T | null;
  readonly error: ApiError | null;
  readonly isAsking: boolean;
}

/**
 * Asks for a path, again when it is another one or `again` is called. What was known stays until
 * the next answer; of another path it goes. Null = nothing is asked.
 */
export function useAnswer<T>(path: string | null): Answer<T> {
  const [kept, setKept] = useState<Kept<T>>({ path, value: null, error: null, isAsking: true });
  const [turn, setTurn] = useState(0);
  const asked = useRef(0);
  const took = useRef(0);
  const send = useContext(Sender);
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    asked.current += 1;
    const mine = asked.current;
    const isMine = (): boolean => mine === asked.current;
    const fromMs = performance.now();
    setKept((last) => (last.path === path ? { ...last, isAsking: true } : fresh(path)));
    ask<T>(path, { signal: stop.signal }, send).then(
      (value) => {
        if (!isMine()) return;
        took.current = performance.now() - fromMs;
        setKept({ path, value, error: null, isAsking: false });
      },
      (error: unknown) => {
        if (!isMine() || !(error instanceof ApiError)) return;
        setKept((last) => ({ ...last, error, isAsking: false }));
        // Who was not reached may be again, without an event that says so.
        if (error.status === 0) retry = setTimeout(() => setTurn((last) => last + 1), RETRY_MS);
      },
    );
    return () => {
      stop.abort();
      clearTimeout(retry);
    };
  }, [path, turn, send]);
  const again = useCallback(() => setTurn((last) => last + 1), []);
  const { current: tookMs } = took;
  return { ...(kept.path === path ? kept : fresh<T>(path)), tookMs, again };
}

function fresh<T>(path: string | null): Kept<T> {
  return { path, value: null, error: null, isAsking: path !== null };
}
