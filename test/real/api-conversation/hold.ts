/** Holds the conversation with one server and keeps every answer. */
import type { ApiServer } from "../../support/api-servers/api-server.ts";
import { type CallerAnswer, HttpsCaller } from "../../support/api-servers/https-caller.ts";
import { Normal } from "./normal.ts";
import {
  type Answer,
  type Caller,
  type Json,
  recordOf,
  type Step,
  type Topic,
  UNTIL,
} from "./step.ts";
import { TOPICS } from "./topics/index.ts";

/** A watch that is silent for so long has said everything. */
const SILENCE_MS = 3_000;
/** The step that makes the CRD which steps with `until` wait for. */
const CRD_STEP = "crd-create";
/** Headers that clients act on. */
const HEADERS_READ = ["retry-after", "warning", "allow", "location", "www-authenticate"];

/** The answers by the names of their steps. */
export type Held = ReadonlyMap<string, Answer>;

/** Holds all topics with a server that is new; the answers are normalised. */
export async function heldWith(server: ApiServer): Promise<Held> {
  const normal = new Normal();
  const held = await hold(server, TOPICS);
  return new Map([...held].map(([step, answer]) => [step, normal.of(step, answer)]));
}

async function hold(server: ApiServer, topics: readonly Topic[]): Promise<Held> {
  const callers = new Callers(server);
  const held = new Map<string, Answer>();
  try {
    for (const step of topics.flatMap((topic) => topic.steps)) {
      if (held.has(step.name)) throw new Error(`two steps are called ${step.name}`);
      held.set(step.name, await answered(callers.of(step.as ?? "admin"), step, held));
    }
    return held;
  } finally {
    callers.close();
  }
}

class Callers {
  readonly #server: ApiServer;
  readonly #open = new Map<Caller, HttpsCaller>();

  constructor(server: ApiServer) {
    this.#server = server;
  }

  of(caller: Caller): HttpsCaller {
    const { url, caFile } = this.#server;
    const opened =
      this.#open.get(caller) ?? HttpsCaller.open(url, { caFile, token: this.#token(caller) });
    this.#open.set(caller, opened);
    return opened;
  }

  close(): void {
    for (const caller of this.#open.values()) caller.close();
  }

  #token(caller: Caller): string | null {
    if (caller === "nobody") return null;
    return caller === "stranger" ? "a-token-of-nobody" : this.#server.tokenOf(caller);
  }
}

async function answered(caller: HttpsCaller, step: Step, held: Held): Promise<Answer> {
  let answer = await ask(caller, step, held);
  // A server that does not know the path at all will not learn it: there is nothing to wait for.
  const isHopeless = held.get(CRD_STEP)?.status === 404;
  for (let times = 0; !isHopeless && isEarly(answer, step) && times < UNTIL.times; times++) {
    await new Promise((wake) => setTimeout(wake, UNTIL.everyMs));
    answer = await ask(caller, step, held);
  }
  return answer;
}

const isEarly = (answer: Answer, { until }: Step): boolean =>
  until !== undefined && answer.status !== until;

async function ask(caller: HttpsCaller, step: Step, held: Held): Promise<Answer> {
  const body = bodyOf(step, held);
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const answer = await caller.call({
    method: step.method,
    path: filled(step.path, held),
    headers: { accept: "application/json", ...type, ...step.headers },
    ...(body === undefined ? {} : { body }),
    ...(step.lines === undefined ? {} : { lines: step.lines, silenceMs: SILENCE_MS }),
  });
  return read(answer, step);
}

function bodyOf(step: Step, held: Held): string | Uint8Array | undefined {
  if (step.raw !== undefined) return filled(step.raw, held);
  if (step.body === undefined || step.body instanceof Uint8Array) return step.body;
  return filled(JSON.stringify(step.body), held);
}

/**
 * Puts earlier answers in: `{{step.a.0.b}}`. Throws when there is no such text or number in them.
 */
function filled(text: string, held: Held): string {
  return text.replace(/\{\{([\w-]+)\.([\w.-]+)\}\}/g, (_, name: string, path: string) => {
    let value: Json | undefined = held.get(name)?.body;
    for (const key of path.split("."))
      value = Array.isArray(value) ? value[Number(key)] : recordOf(value)?.[key];
    // A server that has no answer here is told a text that is wrong in any place: that shows as a
    // difference.
    return typeof value === "string" || typeof value === "number" ? String(value) : "absent";
  });
}

function read({ status, headers, bytes }: CallerAnswer, step: Step): Answer {
  const [contentType = ""] = (headers["content-type"] ?? "").split(";");
  const named = HEADERS_READ.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const text = Buffer.from(bytes).toString("utf8");
  const body = step.lines === undefined || status >= 300 ? parsed(text) : firstLines(text, step);
  return { status, contentType, headers: Object.fromEntries(named), body };
}

function firstLines(text: string, step: Step): Json {
  const lines = text.split("\n").filter((line) => line !== "");
  const events = lines.slice(0, step.lines).map(parsed);
  return step.unordered === true ? events.sort((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1)) : events;
}

/** The first name in an event: that of its object, also inside of a table. */
function nameIn(event: Json): string {
  return /"name":"(row-[^"]*)"/.exec(JSON.stringify(event))?.[1] ?? "";
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
