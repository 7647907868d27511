/**
 * Asks a name server on 127.0.0.1 over UDP, as dig does, from one socket for any number of
 * questions at once. The messages are dns-packet's, so that the code under test does not judge
 * itself.
 */
import { createSocket, type Socket } from "node:dgram";
import { decode, encode } from "dns-packet";

const TIMEOUT_MS = 1_000;

/** Answers to one question, as text; empty = no such record, or no answer in time. */
export type Answers = readonly string[];

/** One socket. */
export class DnsClient {
  readonly #socket: Socket = createSocket("udp4");
  readonly #port: number;
  readonly #waiting = new Map<number, (answers: Answers) => void>();
  #nextId = 1;
  /** Questions so far. */
  asked = 0;

  constructor(port: number) {
    this.#port = port;
    this.#socket.on("message", (bytes: Uint8Array) => this.#receive(bytes));
    this.#socket.on("error", () => undefined);
  }

  /** The addresses of a name. */
  ask(name: string): Promise<Answers> {
    this.asked += 1;
    const id = this.#nextId;
    this.#nextId = (this.#nextId % 65_535) + 1;
    return new Promise((resolve) => {
      const finish = (answers: Answers): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(answers);
      };
      const timer = setTimeout(() => finish([]), TIMEOUT_MS);
      this.#waiting.set(id, finish);
      const question = encode({ type: "query", id, questions: [{ name, type: "A" }] });
      this.#socket.send(question, this.#port, "127.0.0.1");
    });
  }

  close(): void {
    this.#socket.close();
  }

  #receive(bytes: Uint8Array): void {
    const { id = 0, answers = [] } = decode(bytes);
    const addresses = answers.flatMap((answer) => {
      const { type, data } = answer as { readonly type: string; readonly data: unknown };
      return type === "A" ? [String(data)] : [];
    });
    this.#waiting.get(id)?.(addresses);
  }
}
