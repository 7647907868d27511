/**
 * Asks a name server the same question again and again, one packet after the other, and notes each
 * answer that is none: NXDOMAIN, no data, another response code. Counts only what the server said;
 * a lost packet is asked again.
 */
import { createSocket } from "node:dgram";
import { setTimeout as sleep } from "node:timers/promises";
import { decode, encode } from "dns-packet";
import { expect } from "vitest";

/** Milliseconds until a packet counts as lost. */
const LOST_AFTER_MS = 1_000;
/** Milliseconds between an answer and the next question: asking all the time takes a core. */
const PAUSE_MS = 2;

/** What was seen. */
export interface Watched {
  readonly asked: number;
  /**
   * `A 192.0.2.1`, `CNAME lb.example.com`: every answer that was seen, each once, in the order of
   * their first time.
   */
  readonly answers: readonly string[];
  /** Times at which the name had no answer: the response codes, with a `no data` for NOERROR. */
  readonly gaps: readonly string[];
}

/** What is asked, and where. */
export interface Watching {
  readonly port: number;
  readonly name: string;
  /** Asked where the name has no answer: one of the two has to have one. */
  readonly orElse?: string;
}

/** Each name answers type A with one of its addresses all the time, and with each of them once. */
export async function withoutGap(
  port: number,
  addresses: Readonly<Record<string, readonly string[]>>,
  work: () => Promise<void>,
): Promise<void> {
  let watched = work;
  for (const [name, expected] of Object.entries(addresses)) {
    const inner = watched;
    watched = async () => {
      const { asked, answers, gaps } = await watchAnswers({ port, name }, inner);
      const missed = [...new Set(gaps)];
      expect({ name, missed, answers, isAsked: asked > 10 }).toEqual({
        ...{ name, missed: [], isAsked: true },
        answers: expected.map((address) => `A ${address}`),
      });
    };
  }
  await watched();
}

/** Asks 127.0.0.1 for type A while `work` is under way. */
export async function watchAnswers(at: Watching, work: () => Promise<void>): Promise<Watched> {
  const socket = createSocket("udp4");
  const answers = new Set<string>();
  const gaps: string[] = [];
  let asked = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const answer = await firstOf(socket, at, (asked % 65_535) + 1);
      if (answer === null) continue;
      asked += 1;
      if (answer.answer === null) gaps.push(answer.status);
      else answers.add(answer.answer);
      await sleep(PAUSE_MS);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await asking;
    socket.close();
  }
  return { asked, answers: [...answers], gaps };
}

type Answer = { readonly answer: string | null; readonly status: string };

async function firstOf(
  socket: ReturnType<typeof createSocket>,
  { orElse, ...at }: Watching,
  id: number,
): Promise<Answer | null> {
  const answer = await once(socket, at, id);
  if (orElse === undefined || answer === null || answer.answer !== null) return answer;
  return once(socket, { ...at, name: orElse }, id);
}

function once(
  socket: ReturnType<typeof createSocket>,
  at: Watching,
  id: number,
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(null), LOST_AFTER_MS);
    const onMessage = (bytes: Buffer): void => {
      const message = decode(bytes) as unknown as Answered;
      if (message.id === id) end(answerOf(message));
    };
    const end = (answer: Answer | null): void => {
      clearTimeout(timer);
      socket.off("message", onMessage);
      resolve(answer);
    };
    socket.on("message", onMessage);
    const question = encode({ type: "query", id, questions: [{ name: at.name, type: "A" }] });
    socket.send(question, at.port, "127.0.0.1");
  });
}

interface Answered {
  readonly id: number;
  readonly rcode: string;
  readonly answers?: readonly { readonly type: string; readonly data: unknown }[];
}

function answerOf({ rcode, answers = [] }: Answered): Answer {
  const [first] = answers;
  if (first === undefined) return { answer: null, status: rcode === "NOERROR" ? "no data" : rcode };
  return { answer: `${first.type} ${String(first.data)}`, status: rcode };
}
