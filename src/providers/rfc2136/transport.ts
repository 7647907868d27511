/**
 * Connections to one server: a few are kept for queries and UPDATEs. Each transfer has a separate
 * one, so that a large zone does not delay small answers. Knows no DNS beyond ids.
 *
 * A kept connection carries one request at a time. Several on one connection (RFC 7766 §6.2.1.1)
 * would be fewer sockets, but the servers write small answers without TCP_NODELAY: each waits 40 ms
 * for the acknowledgement of the one before (measured with BIND 9.18 and Knot 3.2). PowerDNS
 * answers requests on one connection one after the other.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Net, SocketAddress, TlsClientOptions } from "@zonekeeper/base/ports/net";
import type { WriteGate } from "../../ports/write-gate.ts";
import { DnsConnection, type ExchangeOptions, type ExchangeTrouble } from "./connection.ts";
import { CONNECT_TIMEOUT_MS, CONNECTIONS_MAX, IDLE_MS_MAX } from "./limits.ts";

/** What a transport needs. */
export interface TransportOptions {
  readonly net: Net;
  readonly clock: Clock;
  readonly server: SocketAddress;
  /** Null = plain TCP. */
  readonly tls: TlsClientOptions | null;
  readonly dryRun: boolean;
  readonly writeGate: WriteGate | undefined;
  /** Gets troubles that may not be shown; absent = they are shown. */
  readonly onHidden?: (trouble: ExchangeTrouble) => void;
}

const HIDDEN =
  "it cannot be reached, or does not answer; ask whoever runs this program, whose log says more";

type Opened =
  | { readonly ok: true; readonly connection: DnsConnection }
  | { readonly ok: false; readonly trouble: ExchangeTrouble };

/** See above. */
export class DnsTransport {
  readonly #options: TransportOptions;
  /** Kept connections that carry nothing now; the last one was used last. */
  #free: DnsConnection[] = [];
  readonly #busy = new Set<DnsConnection>();
  readonly #slots = new Slots(CONNECTIONS_MAX);
  #isClosed = false;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** On a kept connection. A request that the server cannot have seen is sent again on another. */
  async exchange(request: Uint8Array, options: ExchangeOptions): Promise<ExchangeTrouble | null> {
    return this.#slots.run(async () => {
      const trouble = await this.#exchangeKept(request, options);
      const again = trouble?.code === "ConnectionLost" && !trouble.sent;
      return this.#shown(again ? await this.#exchangeKept(request, options) : trouble);
    });
  }

  /** On a separate connection, which is closed afterwards. */
  async exchangeAlone(
    request: Uint8Array,
    options: ExchangeOptions,
  ): Promise<ExchangeTrouble | null> {
    const opened = await this.#open();
    if (!opened.ok) return this.#shown(opened.trouble);
    this.#busy.add(opened.connection);
    try {
      return this.#shown(await opened.connection.exchange(request, options));
    } finally {
      this.#busy.delete(opened.connection);
      opened.connection.close();
    }
  }

  /** Idempotent; requests under way end as lost. */
  close(): void {
    this.#isClosed = true;
    for (const connection of [...this.#free, ...this.#busy]) connection.close();
    this.#free = [];
  }

  async #exchangeKept(
    request: Uint8Array,
    options: ExchangeOptions,
  ): Promise<ExchangeTrouble | null> {
    const opened = this.#takeFree() ?? (await this.#open());
    if (!opened.ok) return opened.trouble;
    const { connection } = opened;
    this.#busy.add(connection);
    try {
      return await connection.exchange(request, options);
    } finally {
      this.#busy.delete(connection);
      if (connection.isOpen && !this.#isClosed) this.#free.push(connection);
      else connection.close();
    }
  }

  /**
   * Servers drop idle connections; one that may be half dead would make the outcome of an UPDATE
   * unknown.
   */
  #takeFree(): Opened | null {
    const isFresh = (each: DnsConnection): boolean => each.isOpen && each.idleMs < IDLE_MS_MAX;
    for (const stale of this.#free.filter((each) => !isFresh(each))) stale.close();
    this.#free = this.#free.filter(isFresh);
    const connection = this.#free.pop();
    return connection === undefined ? null : { ok: true, connection };
  }

  async #open(): Promise<Opened> {
    const { net, clock, server, tls, dryRun, writeGate } = this.#options;
    if (this.#isClosed) return unreachable("the session is closed");
    try {
      const secure = tls === null ? {} : { tls };
      const stream = await net.connectTcp(server, { timeoutMs: CONNECT_TIMEOUT_MS, ...secure });
      return { ok: true, connection: new DnsConnection({ stream, clock, dryRun, writeGate }) };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return unreachable(messageOf(error));
    }
  }

  /** Refused, timed out and reset read alike where they may not be shown (Z-29). */
  #shown(trouble: ExchangeTrouble | null): ExchangeTrouble | null {
    const { onHidden } = this.#options;
    if (trouble === null || trouble.code === "Aborted" || onHidden === undefined) return trouble;
    onHidden(trouble);
    return { code: "Timeout", sent: trouble.sent, message: HIDDEN };
  }
}

function unreachable(message: string): Opened {
  return { ok: false, trouble: { code: "Unreachable", sent: false, message } };
}

/** A number of slots for what may be under way at once; first come, first served. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Runs `act` when there is a slot; a wait is bounded by those before. */
  async run<T>(act: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await act();
    } finally {
      // The slot is passed on to who waits longest.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
