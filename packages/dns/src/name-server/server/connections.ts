/**
 * The open TCP connections of a name server, within bounds. A connection that has sent no request
 * is closed to make room for a new one, so that silent connections keep nobody out.
 */
import type { TcpSession } from "./tcp-session.ts";

/** Bounds. */
export interface ConnectionLimits {
  /** Connections at once. */
  readonly connectionsMax: number;
  /** Connections at once from one client address. */
  readonly connectionsPerClientMax: number;
}

/** Open connections, each with its client's address. */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** Oldest first. */
  readonly #hosts = new Map<TcpSession, string>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /**
   * True when one more of that address is within the bounds. Makes room, if there is none, by
   * closing the oldest connection that never sent a whole message.
   */
  hasRoomFor(host: string): boolean {
    const { connectionsMax, connectionsPerClientMax } = this.#limits;
    const all = [...this.#hosts];
    const own = all.filter(([, other]) => other === host);
    if (own.length >= connectionsPerClientMax) return this.#closeSilent(own);
    return all.length < connectionsMax || this.#closeSilent(all);
  }

  add(session: TcpSession, host: string): void {
    this.#hosts.set(session, host);
  }

  remove(session: TcpSession): void {
    this.#hosts.delete(session);
  }

  #closeSilent(entries: readonly (readonly [TcpSession, string])[]): boolean {
    const silent = entries.find(([{ hasAsked }]) => !hasAsked);
    if (silent === undefined) return false;
    this.#hosts.delete(silent[0]);
    silent[0].close();
    return true;
  }
}
