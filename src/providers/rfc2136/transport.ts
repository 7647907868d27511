/**
 * Connections to one server: a shared one for queries and UPDATEs, kept and reopened when broken, and one of its own for
 * each transfer, so that a large zone does not hold up small answers. Knows no DNS beyond ids.
 */
import { messageOf, OperationError } from "../../model/operation-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Net, SocketAddress } from "../../ports/net.ts";
import { DnsConnection, type ExchangeOptions, type ExchangeTrouble } from "./connection.ts";
import { CONNECT_TIMEOUT_MS, IDLE_MS_MAX } from "./limits.ts";

/** What a transport needs. */
export interface TransportParts {
  readonly net: Net;
  readonly clock: Clock;
  readonly server: SocketAddress;
  readonly dryRun: boolean;
}

type Opened =
  | { readonly ok: true; readonly connection: DnsConnection }
  | { readonly ok: false; readonly trouble: ExchangeTrouble };

/** See above. */
export class DnsTransport {
  readonly #parts: TransportParts;
  #shared: Promise<Opened> | null = null;
  #isClosed = false;

  constructor(parts: TransportParts) {
    this.#parts = parts;
  }

  /** On the shared connection. What the server cannot have seen is sent once more on a fresh one. */
  async exchange(request: Uint8Array, options: ExchangeOptions): Promise<ExchangeTrouble | null> {
    const trouble = await this.#exchangeShared(request, options);
    const again = trouble?.code === "ConnectionLost" && !trouble.sent;
    return again ? this.#exchangeShared(request, options) : trouble;
  }

  /** On a connection of its own. */
  async exchangeAlone(
    request: Uint8Array,
    options: ExchangeOptions,
  ): Promise<ExchangeTrouble | null> {
    const opened = await this.#open();
    if (!opened.ok) return opened.trouble;
    try {
      return await opened.connection.exchange(request, options);
    } finally {
      opened.connection.close();
    }
  }

  /** Idempotent; requests under way end as lost. */
  close(): void {
    this.#isClosed = true;
    void this.#shared?.then((opened) => opened.ok && opened.connection.close());
  }

  async #exchangeShared(
    request: Uint8Array,
    options: ExchangeOptions,
  ): Promise<ExchangeTrouble | null> {
    const opened = await this.#sharedConnection();
    return opened.ok ? opened.connection.exchange(request, options) : opened.trouble;
  }

  /** Servers drop idle connections; one that may be half dead would make the outcome of an UPDATE unknown. */
  async #sharedConnection(): Promise<Opened> {
    const present = this.#shared;
    if (present !== null) {
      const opened = await present;
      if (opened.ok && opened.connection.isUsable && opened.connection.idleMs < IDLE_MS_MAX)
        return opened;
      if (this.#shared === present) {
        this.#shared = null;
        if (opened.ok) opened.connection.retire();
      }
    }
    this.#shared ??= this.#open();
    return this.#shared;
  }

  async #open(): Promise<Opened> {
    const { net, clock, server, dryRun } = this.#parts;
    if (this.#isClosed) return unreachable("the session is closed");
    try {
      const stream = await net.connectTcp(server, { timeoutMs: CONNECT_TIMEOUT_MS });
      return { ok: true, connection: new DnsConnection({ stream, clock, dryRun }) };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return unreachable(messageOf(error));
    }
  }
}

function unreachable(message: string): Opened {
  return { ok: false, trouble: { code: "Unreachable", sent: false, message } };
}
