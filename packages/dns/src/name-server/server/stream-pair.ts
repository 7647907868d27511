/**
 * Two ends of a connection inside the process: what one writes the other reads. A write waits until
 * it is read, so that a slow reader holds the sender back, as a socket does.
 */
import { type OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { SocketAddress, TcpStream } from "@zonekeeper/base/ports/net";

/** The two ends; both say that they are connected to `remote`. */
export function streamPair(remote: SocketAddress, clock: Clock): readonly [TcpStream, TcpStream] {
  const [there, back] = [new Pipe(clock), new Pipe(clock)];
  return [endOf(remote, there, back), endOf(remote, back, there)];
}

function endOf(remote: SocketAddress, from: Pipe, to: Pipe): TcpStream {
  return {
    remote,
    read: (timeoutMs) => from.take(timeoutMs),
    write: (bytes) => to.put(bytes),
    close: () => {
      from.drop();
      to.end();
    },
  };
}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly taken: (error: Error | null) => void;
}

/** One direction of the connection. */
class Pipe {
  readonly #clock: Clock;
  #waiting: Waiting[] = [];
  #isOver = false;
  #wake: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  put(bytes: Uint8Array): Promise<void> {
    if (this.#isOver) return Promise.reject(lost("ConnectionLost", "the connection is closed"));
    return new Promise((resolve, reject) => {
      const taken = (error: Error | null): void => (error === null ? resolve() : reject(error));
      this.#waiting.push({ bytes, taken });
      this.#wake?.();
    });
  }

  async take(timeoutMs: number | undefined): Promise<Uint8Array | null> {
    if (this.#waiting.length === 0 && !this.#isOver) await this.#news(timeoutMs);
    const next = this.#waiting.shift();
    next?.taken(null);
    return next?.bytes ?? null;
  }

  /** The writer closes: the reader still gets what was written before. */
  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  /** The reader closes: writes that wait fail. */
  drop(): void {
    this.end();
    const gone = this.#waiting.splice(0);
    for (const { taken } of gone) taken(lost("ConnectionLost", "the connection is closed"));
  }

  #news(timeoutMs: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = (): void => {
        this.#wake = null;
        reject(lost("ReadTimeout", `nothing came in ${timeoutMs} ms`));
      };
      const timer = timeoutMs === undefined ? null : this.#clock.setTimer(timeoutMs, late);
      this.#wake = () => {
        this.#wake = null;
        timer?.cancel();
        resolve();
      };
    });
  }
}

function lost(code: "ConnectionLost" | "ReadTimeout", what: string): OperationError {
  const message = `connection to the embedded name server: ${what}`;
  return retryable(code, message);
}
