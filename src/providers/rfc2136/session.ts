/**
 * One account: a server, a key and the zones that are configured (RFC 2136 has no zone listing).
 * Converts and sends; batching, retries and ownership are not its business.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { updateMessage } from "@zonekeeper/dns/wire/message/update";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type {
  Capabilities,
  ProviderEnvironment,
  ProviderSession,
  ZoneDelta,
  ZoneSnapshot,
} from "../provider.ts";
import { sessionType } from "../shared/vendor-type.ts";
import type { ExchangeTrouble } from "./connection.ts";
import { auditSet, normalizeSet, toUpdate } from "./convert.ts";
import { DnsClient } from "./dns-client.ts";
import { outcomeForGroup, outcomeOfCall } from "./failures.ts";
import { CAPABILITIES } from "./limits.ts";
import { namedZones, parseOptions, type Rfc2136Options } from "./options.ts";
import { readNames } from "./read-names.ts";
import { type ReadContext, readDelta, readSoa, readWholeZone, tokenOf } from "./read-zone.ts";
import { DnsTransport } from "./transport.ts";

/** As in `DNSProvider.spec.type`. */
const RFC2136_TYPE = "rfc2136";

/** See `ProviderSession`. Methods may be called concurrently. */
class Rfc2136Session implements ProviderSession {
  readonly audit = auditSet;
  readonly normalize = normalizeSet;
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #options: Rfc2136Options;
  readonly #environment: ProviderEnvironment;
  readonly #transport: DnsTransport;
  readonly #client: DnsClient;
  /** Record sets of each zone when it was last transferred; at most one entry for each zone. */
  readonly #setsOf = new Map<DnsName, number>();

  constructor(options: Rfc2136Options, environment: ProviderEnvironment) {
    const { net, clock, random, crypto, dryRun, writeGate, log } = environment;
    this.#options = options;
    this.#environment = environment;
    const { server, tls, key } = options;
    const onHidden = ({ message }: ExchangeTrouble): void =>
      log.warn("a server does not answer", { server: this.#endpoint(), reason: message });
    const transport = new DnsTransport({
      ...{ net, clock, server, tls, dryRun, writeGate },
      ...(environment.hidesTroubles === true ? { onHidden } : {}),
    });
    this.#transport = transport;
    this.#client = new DnsClient({ transport, clock, random, crypto, key });
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const context = this.#context(signal);
    await Promise.all(this.#options.zones.map((zone) => readSoa(context, zone)));
    const of = { providerType: RFC2136_TYPE, endpoint: this.#endpoint(), view: "" };
    return this.#options.zones.map((name) => ({ id: name, name, ...of }));
  }

  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const context = this.#context(signal);
    if (names !== null) {
      const zoneSets = this.#setsOf.get(zone.name) ?? null;
      const { random } = this.#environment;
      return readNames(context, { zone: zone.name, names, random, zoneSets });
    }
    const snapshot = await readWholeZone(context, zone.name);
    this.#setsOf.set(zone.name, snapshot.sets.length);
    return snapshot;
  }

  async changeToken(zone: Zone, signal: AbortSignal): Promise<string> {
    return tokenOf(await readSoa(this.#context(signal), zone.name));
  }

  async changesSince(zone: Zone, token: string, signal: AbortSignal): Promise<ZoneDelta> {
    return readDelta(this.#context(signal), zone.name, token);
  }

  /** One signed UPDATE for all groups; they share one outcome. */
  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    if (groups.length === 0) return;
    const id = this.#client.nextId();
    const update = updateMessage({ id, zone: zone.name, ...toUpdate(groups) });
    const outcome = outcomeOfCall(await this.#client.ask(update, signal), this.#nowSeconds());
    for (const group of groups) yield outcomeForGroup(group, outcome);
  }

  onChangeHint({ name: zone }: Zone, onHint: () => void): () => void {
    const { server, key } = this.#options;
    const interest = { zone, host: server.host, key };
    return this.#environment.notifyFeed?.subscribe(interest, onHint) ?? ((): void => undefined);
  }

  close(): void {
    this.#transport.close();
  }

  #endpoint(): string {
    const { host, port } = this.#options.server;
    return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  }

  #nowSeconds(): number {
    return Math.floor(this.#environment.clock.nowMs() / 1000);
  }

  #context(signal: AbortSignal): ReadContext {
    const nowSeconds = (): number => this.#nowSeconds();
    return { client: this.#client, endpoint: this.#endpoint(), nowSeconds, signal };
  }
}

/**
 * Secret: `Server`, `Zone`, `TSIGKeyName`, `TSIGSecret`, `TSIGSecretAlgorithm`, `TLS…`; see
 * options.ts for `providerConfig`.
 */
export const RFC2136_PROVIDER = {
  ...sessionType(RFC2136_TYPE, parseOptions, Rfc2136Session),
  namedZones,
};
