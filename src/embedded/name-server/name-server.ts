/**
 * The embedded authoritative name server: sockets, zones and their lives. What is answered is decided in server/,
 * query/, update/ and transfer/. For a single host and for tests; it does not notify secondaries and signs
 * no zones.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { messageOf, OperationError } from "../../model/operation-error.ts";
import { parseRdata } from "../../model/rdata/index.ts";
import { parseRecordType } from "../../model/rdata/type-numbers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Crypto } from "../../ports/crypto.ts";
import type { Log } from "../../ports/log.ts";
import type {
  Datagram,
  Net,
  SocketAddress,
  TcpListener,
  TcpStream,
  UdpSocket,
} from "../../ports/net.ts";
import type { Store } from "../../ports/store.ts";
import { HostedZone } from "./hosting/hosted-zone.ts";
import { hasStoredZone, newZoneWrites, storedZones } from "./hosting/zone-store.ts";
import { ZoneTable } from "./hosting/zone-table.ts";
import { KeyRing, type NameServerKey } from "./server/key-ring.ts";
import { Responder } from "./server/responder.ts";
import { type NameServerStatistics, StatisticsCounter } from "./server/statistics.ts";
import { type TcpLimits, TcpSession } from "./server/tcp-session.ts";
import { DEFAULT_JOURNAL_LIMITS, type JournalLimits } from "./zone/journal.ts";
import { aliasTrouble, zoneFrom, zoneTrouble } from "./zone/zone-edit.ts";
import type { ZoneRecordSet } from "./zone/zone-version.ts";

/** Bounds of a server. */
export interface NameServerLimits {
  readonly tcp: TcpLimits;
  /** Connections at once; one more is closed at once. */
  readonly connectionsMax: number;
  /** UDP requests under way; more are dropped, and clients repeat them. */
  readonly datagramsMax: number;
  readonly journal: JournalLimits;
}

/** Bounds unless told otherwise. */
export const DEFAULT_LIMITS: NameServerLimits = {
  tcp: { idleMs: 30_000, writeMs: 10_000, requestsMax: 64 },
  connectionsMax: 256,
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
  /** Who may update and transfer; nobody without a key. */
  readonly keys: readonly NameServerKey[];
  readonly limits?: NameServerLimits;
}

/** Where to listen. */
export interface ListenOptions {
  /** Default 127.0.0.1, any free port. */
  readonly address?: SocketAddress;
}

const LOOPBACK: SocketAddress = { host: "127.0.0.1", port: 0 };
/** A free TCP port may be taken for UDP: so many are tried. */
const PORT_TRIES = 10;

/** An authoritative name server. */
export class NameServer {
  readonly #options: NameServerOptions;
  readonly #limits: NameServerLimits;
  readonly #zones = new ZoneTable();
  readonly #statistics = new StatisticsCounter();
  readonly #responder: Responder;
  readonly #sessions = new Set<Promise<void>>();
  #tcp: TcpListener | null = null;
  #udp: UdpSocket | null = null;
  #datagrams = 0;

  /** Loads every zone of the store; throws OperationError `StoreCorrupt`. */
  constructor(options: NameServerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? DEFAULT_LIMITS;
    const { clock, crypto } = options;
    this.#responder = new Responder({
      zones: this.#zones,
      keys: new KeyRing(options.keys),
      crypto,
      clock,
      statistics: this.#statistics,
    });
    for (const apex of storedZones(options.store)) this.#host(apex);
  }

  /**
   * Listens on UDP and TCP of one port. Throws OperationError when the port is taken (`AddressInUse` or what the Net
   * port says); nothing listens then.
   */
  async start({ address = LOOPBACK }: ListenOptions = {}): Promise<{ readonly port: number }> {
    for (let tries = 1; ; tries++) {
      const tcp = await this.#options.net.listenTcp(address, (stream) => this.#accept(stream));
      const port = tcp.local.port;
      try {
        this.#udp = await this.#options.net.bindUdp({ host: address.host, port }, (datagram) =>
          this.#receive(datagram),
        );
        this.#tcp = tcp;
        this.#options.log.info("name server listens", { host: address.host, port });
        return { port };
      } catch (error) {
        await tcp.close();
        if (address.port !== 0 || tries >= PORT_TRIES) throw error;
      }
    }
  }

  /** Stops listening, closes connections, waits for updates under way. The store stays open: it is the caller's. */
  async stop(): Promise<void> {
    const [tcp, udp] = [this.#tcp, this.#udp];
    this.#tcp = null;
    this.#udp = null;
    await Promise.all([tcp?.close(), udp?.close()]);
    await Promise.all(this.#sessions);
    await Promise.all(this.#zones.all().map((zone) => zone.idle()));
  }

  /**
   * Serves a new zone with these records, durably. False, and nothing is changed, when the store has that zone
   * already. Throws OperationError `InvalidZone` when the records are no zone (exactly one SOA, an NS at the apex).
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

  /** Apexes of all zones that are served, in no special order. */
  zoneNames(): readonly DnsName[] {
    return this.#zones.all().map((zone) => zone.apex);
  }

  /** The present serial of a zone; null = it is not served. */
  serial(apex: DnsName): number | null {
    return this.#zones.at(apex)?.state.version.soa.serial ?? null;
  }

  /** Counts for metrics. */
  statistics(): NameServerStatistics {
    return this.#statistics.snapshot();
  }

  #host(apex: DnsName): void {
    const { store, log } = this.#options;
    this.#zones.add(new HostedZone({ apex, store, log, journalLimits: this.#limits.journal }));
  }

  #accept(stream: TcpStream): void {
    if (this.#sessions.size >= this.#limits.connectionsMax) {
      this.#statistics.requestDropped();
      stream.close();
      return;
    }
    const { clock, log } = this.#options;
    const session = new TcpSession(stream, {
      responder: this.#responder,
      clock,
      log,
      limits: this.#limits.tcp,
    });
    const ended = session.run().finally(() => this.#sessions.delete(ended));
    this.#sessions.add(ended);
  }

  #receive(datagram: Datagram): void {
    if (this.#datagrams >= this.#limits.datagramsMax) {
      this.#statistics.requestDropped();
      return;
    }
    this.#datagrams += 1;
    void this.#answer(datagram).finally(() => {
      this.#datagrams -= 1;
    });
  }

  async #answer({ from, bytes }: Datagram): Promise<void> {
    for (const message of await this.#responder.respond(bytes, "udp")) {
      try {
        await this.#udp?.send(from, message);
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
