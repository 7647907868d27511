/**
 * The embedded authoritative name server: sockets, zones and their lives. The folders server/,
 * query/, update/, transfer/ and notify/ decide the answers. For a single host and for tests; it
 * signs no zones and is no secondary.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Datagram, Net, SocketAddress, TcpStream } from "@zonekeeper/base/ports/net";
import type { Random } from "@zonekeeper/base/ports/random";
import type { Store } from "@zonekeeper/base/ports/store";
import type { DnsName } from "../names/dns-name.ts";
import { parseRdata } from "../rdata/index.ts";
import { parseRecordType } from "../rdata/type-numbers.ts";
import { HostedZone } from "./hosting/hosted-zone.ts";
import { hasStoredZone, newZoneWrites, storedZones } from "./hosting/zone-store.ts";
import { ZoneTable } from "./hosting/zone-table.ts";
import { Notifier, type NotifierOptions } from "./notify/notifier.ts";
import { type ConnectionLimits, Connections } from "./server/connections.ts";
import { KeyRing, type NameServerKey } from "./server/key-ring.ts";
import {
  Listeners,
  type ListenOptions,
  type ListenPorts,
  type Receivers,
} from "./server/listeners.ts";
import { type OnAnswer, Responder } from "./server/responder.ts";
import { streamPair } from "./server/stream-pair.ts";
import { type TcpLimits, TcpSession } from "./server/tcp-session.ts";
import { DEFAULT_JOURNAL_LIMITS, type JournalLimits } from "./zone/journal.ts";
import { aliasTrouble, zoneFrom, zoneTrouble } from "./zone/zone-edit.ts";
import type { ZoneRecordSet } from "./zone/zone-version.ts";

/** Bounds of a server. */
export interface NameServerLimits extends ConnectionLimits {
  readonly tcp: TcpLimits;
  /** UDP requests under way; more are dropped, and clients repeat them. */
  readonly datagramsMax: number;
  readonly journal: JournalLimits;
}

/** Default bounds. */
export const DEFAULT_LIMITS: NameServerLimits = {
  tcp: { idleMs: 30_000, messageMs: 10_000, writeMs: 10_000, requestsMax: 64 },
  connectionsMax: 256,
  connectionsPerClientMax: 128,
  datagramsMax: 1000,
  journal: DEFAULT_JOURNAL_LIMITS,
};

/** What a server is made of. */
export interface NameServerOptions {
  readonly net: Net;
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly store: Store;
  readonly log: Log;
  /** Keys that may update and transfer; without a key no client may. */
  readonly keys: readonly NameServerKey[];
  readonly limits?: NameServerLimits;
  /** Secondaries that get NOTIFY; absent = none. */
  readonly notify?: NotifySettings;
  readonly onAnswer?: OnAnswer;
}

/** Whom to notify, and how. */
export interface NotifySettings extends Pick<NotifierOptions, "secondaries" | "limits"> {
  /** Chooses the ids of the messages. */
  readonly random: Random;
}

export type { ListenOptions } from "./server/listeners.ts";

/** An authoritative name server. */
export class NameServer {
  readonly #options: NameServerOptions;
  readonly #limits: NameServerLimits;
  readonly #zones = new ZoneTable();
  readonly #responder: Responder;
  /** The open TCP sessions, each with a promise that resolves when it has ended. */
  readonly #sessions = new Map<TcpSession, Promise<void>>();
  readonly #connections: Connections;
  readonly #notifier: Notifier | null;
  #listeners: Listeners | null = null;
  #datagrams = 0;

  /** Loads every zone of the store; throws OperationError `StoreCorrupt`. */
  constructor(options: NameServerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? DEFAULT_LIMITS;
    this.#connections = new Connections(this.#limits);
    const { clock, crypto, log, notify } = options;
    this.#responder = new Responder({
      zones: this.#zones,
      keys: new KeyRing(options.keys),
      crypto,
      clock,
      onAnswer: options.onAnswer ?? (() => {}),
    });
    const send = async (to: SocketAddress, bytes: Uint8Array): Promise<void> =>
      this.#listeners?.send(to, bytes);
    this.#notifier = notify ? new Notifier({ ...notify, clock, crypto, log, send }) : null;
    for (const apex of storedZones(options.store)) this.#host(apex);
  }

  /**
   * Listens on UDP and TCP of one port, and for TLS on another; then tells the secondaries of every
   * zone, which may have missed changes. Throws OperationError when a port is taken (`AddressInUse`
   * or what the Net port says); nothing listens then.
   */
  async start(options: ListenOptions = {}): Promise<ListenPorts> {
    const receivers: Receivers = {
      onStream: (stream) => {
        const { host } = stream.remote;
        if (this.#connections.hasRoomFor(host)) this.#connections.add(this.#serve(stream), host);
        else stream.close();
      },
      onDatagram: (datagram) => this.#receive(datagram),
    };
    this.#listeners = await Listeners.open(this.#options.net, receivers, options);
    const { ports } = this.#listeners;
    const host = options.address?.host ?? null;
    this.#options.log.info("name server listens", { host, ...ports });
    for (const zone of this.#zones.all()) this.#announce(zone);
    return ports;
  }

  /**
   * Stops listening, closes connections, waits for updates under way. The store stays open: it is
   * the caller's.
   */
  async stop(): Promise<void> {
    const listeners = this.#listeners;
    this.#listeners = null;
    this.#notifier?.stop();
    await listeners?.close();
    for (const session of this.#sessions.keys()) session.close();
    await Promise.all(this.#sessions.values());
    await Promise.all(this.#zones.all().map((zone) => zone.idle()));
  }

  /**
   * Serves a new zone with these records, durably. False, and nothing is changed, when the store
   * has that zone already. Throws OperationError `InvalidZone` when the records are no zone
   * (exactly one SOA, an NS at the apex).
   */
  async addZone(apex: DnsName, initialRecords: readonly ZoneRecordSet[]): Promise<boolean> {
    if (hasStoredZone(this.#options.store, apex)) return false;
    const sets = initialRecords.map(canonicalSet);
    const hasNs = sets.some((set) => set.name === apex && set.type === "NS");
    const needsNs = hasNs ? null : "it needs an NS at its apex";
    const trouble = zoneTrouble(apex, sets) ?? aliasTrouble(sets) ?? needsNs;
    if (trouble !== null) throw invalidZone(apex, trouble);
    await this.#options.store.write(newZoneWrites(zoneFrom(apex, sets)));
    this.#host(apex);
    return true;
  }

  /** A connection inside the process, outside of all bounds. `at` is where it seems to lead. */
  connect(at: SocketAddress): TcpStream {
    const [here, there] = streamPair(at, this.#options.clock);
    if (this.#listeners === null) here.close();
    else this.#serve(here);
    return there;
  }

  /** Apexes of all zones that are served, in no special order. */
  zoneNames(): readonly DnsName[] {
    return this.#zones.all().map((zone) => zone.apex);
  }

  /** The present serial of a zone; null = it is not served. */
  serial(apex: DnsName): number | null {
    return this.#zones.at(apex)?.state.version.soa.serial ?? null;
  }

  #host(apex: DnsName): void {
    const { store, log } = this.#options;
    const journalLimits = this.#limits.journal;
    const onChange = (zone: HostedZone): void => this.#announce(zone);
    this.#zones.add(new HostedZone({ apex, store, log, journalLimits, onChange }));
  }

  #announce({ apex, state }: HostedZone): void {
    if (this.#listeners !== null) this.#notifier?.changed(apex, state.version.soaRecord);
  }

  #serve(stream: TcpStream): TcpSession {
    const { clock, log } = this.#options;
    const [responder, limits] = [this.#responder, this.#limits.tcp];
    const session = new TcpSession(stream, { responder, clock, log, limits });
    const ended = session.run().finally(() => {
      this.#sessions.delete(session);
      this.#connections.remove(session);
    });
    this.#sessions.set(session, ended);
    return session;
  }

  #receive(datagram: Datagram): void {
    // QR, RFC 1035 §4.1.1. Only answers to our own NOTIFY are of use.
    if (((datagram.bytes[2] ?? 0) & 0x80) !== 0) {
      this.#notifier?.receive(datagram);
      return;
    }
    if (this.#datagrams >= this.#limits.datagramsMax) return;
    this.#datagrams += 1;
    void this.#answer(datagram).finally(() => {
      this.#datagrams -= 1;
    });
  }

  async #answer({ from, bytes }: Datagram): Promise<void> {
    for (const message of await this.#responder.respond(bytes, "udp")) {
      try {
        await this.#listeners?.send(from, message);
      } catch (error) {
        this.#options.log.debug("answer could not be sent", { error: messageOf(error) });
      }
    }
  }
}

/** The set with its type and values in canonical form; throws OperationError `InvalidZone`. */
function canonicalSet(set: ZoneRecordSet): ZoneRecordSet {
  const type = parseRecordType(set.type);
  if (!type.ok) throw invalidZone(set.name, type.error);
  const values = set.values.map((value) => {
    const parsed = parseRdata(type.value, value);
    if (!parsed.ok) throw invalidZone(set.name, `${set.type} ${value}: ${parsed.error}`);
    return parsed.value;
  });
  return { ...set, type: type.value, values };
}

function invalidZone(name: DnsName, reason: string): OperationError {
  const message = `the zone cannot be made from these records: ${name}: ${reason}`;
  return new OperationError({ code: "InvalidZone", message, retry: "never" });
}
