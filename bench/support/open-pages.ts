/**
 * Pages that are open in browsers, without the browsers: each with a session and connections of
 * its own, a stream of events, and the questions that its screen asks again after each.
 */
import { Agent, type IncomingMessage, request } from "node:http";

/** Milliseconds in which events are gathered to one question, as in page/live.ts. */
const GATHER_MS = 20;

/** Where a run is reached. */
interface Instance {
  readonly http: string;
  readonly token: string;
}

/** What a part of a screen asks again, and when. */
export interface Asking {
  readonly questions: readonly string[];
  /** Text of the events that lead to them; absent = each does. */
  readonly about?: string;
  /** The same, in times that the last answers took; absent = 0. */
  readonly waits?: number;
  /** The least time from one question to the next; absent = 0. */
  readonly leastMs?: number;
}

/** A link that lets one browser in. */
export async function pageLink({ http, token }: Instance): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${http}/api/v1/page/link`, { method: "POST", headers });
  const { path } = (await response.json()) as { readonly path: string };
  return `${http}${path}`;
}

/** One of them. */
export class OpenPage {
  /** When events of changes came, Unix milliseconds. */
  readonly eventsAtMs: number[] = [];
  /** Milliseconds from an event to the last answer that is asked for at once. */
  readonly answeredMs: number[] = [];
  questions = 0;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 6 });
  readonly #http: string;
  readonly #cookie: string;
  readonly #timers = new Map<Asking, NodeJS.Timeout>();
  readonly #last = new Map<Asking, { readonly atMs: number; readonly tookMs: number }>();

  private constructor(http: string, cookie: string) {
    this.#http = http;
    this.#cookie = cookie;
  }

  static async open(instance: Instance, askings: readonly Asking[]): Promise<OpenPage> {
    const entered = await fetch(await pageLink(instance));
    const [cookie = ""] = (entered.headers.get("set-cookie") ?? "").split(";");
    const page = new OpenPage(instance.http, cookie);
    const stream = await page.#get("events");
    stream.setEncoding("utf8").on("data", (text: string) => {
      if (text.includes("event: changed")) page.eventsAtMs.push(Date.now());
      for (const asking of askings)
        if (text.includes("data: ") && text.includes(asking.about ?? "")) page.#arrived(asking);
    });
    stream.on("error", () => undefined);
    return page;
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#agent.destroy();
  }

  #arrived(asking: Asking): void {
    if (this.#timers.has(asking)) return;
    const { waits = 0, leastMs = 0 } = asking;
    const ask = (): void => {
      this.#timers.delete(asking);
      void this.#ask(asking).catch(() => undefined);
    };
    const { atMs, tookMs } = this.#last.get(asking) ?? { atMs: 0, tookMs: 0 };
    const dueMs = atMs + Math.max(leastMs, waits * tookMs);
    this.#timers.set(asking, setTimeout(ask, Math.max(GATHER_MS, dueMs - performance.now())));
  }

  async #ask(asking: Asking): Promise<void> {
    const fromMs = performance.now();
    await Promise.all(
      asking.questions.map(async (path) => {
        for await (const _ of await this.#get(path));
        this.questions += 1;
      }),
    );
    const tookMs = performance.now() - fromMs;
    this.#last.set(asking, { atMs: fromMs, tookMs });
    if (asking.waits === undefined) this.answeredMs.push(tookMs);
  }

  #get(path: string): Promise<IncomingMessage> {
    const headers = { cookie: this.#cookie, "sec-fetch-site": "same-origin" };
    return new Promise((resolve, reject) => {
      request(`${this.#http}/api/v1/${path}`, { agent: this.#agent, headers }, resolve)
        .on("error", reject)
        .end();
    });
  }
}
