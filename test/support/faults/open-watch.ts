/** One watch on its way through the fault front, and what can be done to its connection. */
import type { IncomingMessage, ServerResponse } from "node:http";

const NEWLINE = 10;

/** From the server, and to the client. */
interface Connection {
  readonly answer: IncomingMessage;
  readonly response: ServerResponse;
}

/** Passes bytes on until it is told otherwise. */
export class OpenWatch {
  /** `GET /path?query`. */
  readonly line: string;
  readonly #answer: IncomingMessage;
  readonly #response: ServerResponse;
  /** Sends a RST. */
  readonly #reset: () => void;
  #pass: (chunk: Buffer) => void;

  constructor(line: string, { answer, response }: Connection, reset: () => void) {
    this.line = line;
    this.#answer = answer;
    this.#reset = reset;
    this.#response = response;
    this.#pass = (chunk) => void response.write(chunk);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    answer.on("data", (chunk: Buffer) => this.#pass(chunk));
    answer.once("end", () => response.end());
    answer.once("error", () => this.reset());
    response.once("close", () => answer.destroy());
  }

  /** RST, as from a host that has forgotten the connection. */
  reset(): void {
    this.#reset();
  }

  /** The server ends the watch properly. */
  end(): void {
    this.#response.end();
    this.#answer.destroy();
  }

  /** Bytes that no server sent. */
  send(bytes: string | Uint8Array): void {
    this.#response.write(bytes);
  }

  /** Half-open: nothing comes any more, and nobody says that it ended. */
  freeze(): void {
    this.#pass = () => {};
  }

  /** Every byte comes in a segment of its own, characters cut in two as well. */
  trickle(): void {
    this.#pass = (chunk) => {
      for (const byte of chunk) this.#response.write(Uint8Array.of(byte));
    };
  }

  /**
   * The next line is cut at the first byte for which `where` holds, then the connection is reset.
   */
  cutAt(where: (byte: number, at: number) => boolean): void {
    this.#pass = (chunk) => {
      const at = chunk.findIndex(where);
      if (at < 0) {
        this.#response.write(chunk);
        return;
      }
      this.freeze();
      this.#response.write(chunk.subarray(0, at + 1), () => this.reset());
    };
  }

  /** The next lines come twice, and `reverse` in the wrong order. */
  repeat(reverse: boolean): void {
    this.#pass = (chunk) => {
      const lines = chunk.toString("utf8").split("\n").slice(0, -1);
      const again = reverse ? lines.toReversed() : lines;
      const isWhole = chunk.at(-1) === NEWLINE;
      this.#response.write(chunk);
      if (isWhole) this.#response.write(again.map((line) => `${line}\n`).join(""));
    };
  }
}
