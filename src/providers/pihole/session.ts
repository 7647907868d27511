/**
 * One Pi-hole 6: the lines of `dns.hosts` and `dns.cnameRecords`, one a call. A call names a line
 * whole, so that no other line is ever touched; a line that has several names is not changed here.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { fieldsOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { hasSameData } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change } from "../../plan/changes.ts";
import type { Capabilities, ProviderEnvironment } from "../provider.ts";
import { CallSession, type Calls } from "../shared/call-session.ts";
import { incomplete, unsent } from "../shared/failed-calls.ts";
import { JsonApi, NEVER_RENEWED } from "../shared/json-api.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import type { Listing } from "../shared/pages.ts";
import { setsOfValues } from "../shared/plain-sets.ts";
import {
  changedCall,
  explainCall,
  type RefusalTable,
  RefusedCall,
} from "../shared/refused-call.ts";
import { KeptToken } from "../shared/renewed-token.ts";
import { isOfZone, writtenSet } from "../shared/vendor-session.ts";
import { namedZones, sessionType } from "../shared/vendor-type.ts";
import {
  auditSet,
  CAPABILITIES,
  LISTS,
  type Line,
  linesIn,
  linesOf,
  normalizeSet,
} from "./lines.ts";
import { type PiholeOptions, parseOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
const PIHOLE_TYPE = "pihole";

/** `{"error": {"key", "message", "hint"}}` (FTL's `send_json_error`), or a session that is none. */
function toRefusal({ status, json, retryAfterMs }: JsonAnswer): RefusedCall {
  const { error, session } = fieldsOf(json);
  const { key, message, hint } = fieldsOf(error ?? session);
  const text = [message, hint].flatMap((one) => textOf(one) ?? []).join(": ");
  return new RefusedCall({ status, text, reason: textOf(key) ?? "", retryAfterMs });
}

/** See `RefusalTable`. */
const REFUSALS: RefusalTable = {
  keyRemedy:
    "correct Password in the Secret; one of an application needs webserver.api.app_sudo to write",
  rows: [
    // It is there already, or it is gone.
    { status: /^400$/, text: /already present/i, is: "changed" },
    { status: /^404$/, is: "changed" },
    { status: /^4(?!01|03|08|29)/, is: "refused" },
  ],
  codeOf: ({ status }) => `Pihole${status}`,
};

/** See `VendorSession`. An item is a line. */
class PiholeSession extends CallSession<Line> {
  readonly audit = auditSet;
  readonly normalize = normalizeSet;
  protected readonly toSets = setsOfValues;
  readonly capabilities: Capabilities = CAPABILITIES;
  protected override readonly listsSoa = false;
  readonly #options: PiholeOptions;
  /** Asks for sessions. */
  readonly #plain: JsonApi<null>;
  readonly #api: JsonApi<string>;

  constructor(options: PiholeOptions, environment: ProviderEnvironment) {
    super(environment, REFUSALS);
    this.#options = options;
    const { server: origin, caCertificate: ca, password } = options;
    const client = environment.http({ origin, ...(ca === null ? {} : { tls: { ca } }) });
    const common = { toRefusal, close: () => client.close() };
    this.#plain = new JsonApi({
      ...{ ...NEVER_RENEWED, ...common },
      route: ({ path }) => ({ client, path, headers: {} }),
    });
    this.#api = new JsonApi<string>({
      ...common,
      proofs: new KeptToken(async () => (password === null ? "" : this.#askSession(password))),
      route: ({ path }, sid) => ({ client, path, headers: sid === "" ? {} : { "x-ftl-sid": sid } }),
    });
  }

  /** It knows no zones: whether it may be read is asked. */
  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    await this.#lines("hosts", "the records cannot be read", signal);
    const { server, zones } = this.#options;
    const of = { providerType: PIHOLE_TYPE, endpoint: new URL(server).host, view: "" };
    return zones.map((name) => ({ id: name, name, ...of }));
  }

  close(): void {
    this.#plain.close();
    this.#api.close();
  }

  /** The lists are whole answers. */
  protected override questionsMax(): number {
    return 0;
  }

  protected nameOf({ name }: Line): DnsName {
    return name;
  }

  protected async listZone(zone: Zone, signal: AbortSignal): Promise<Listing<Line>> {
    const items: Line[] = [];
    for (const [index, list] of LISTS.entries()) {
      if (index > 0) await this.turn();
      items.push(...(await this.#lines(list, `the zone ${zone.name} cannot be read`, signal)));
    }
    return {
      items: items.filter(({ name }) => isOfZone(name, zone.name, this.#options.zones)),
      calls: LISTS.length,
    };
  }

  /** Values come before others go, so that no name is without one; a CNAME may stand once only. */
  protected async makeChange(zone: Zone, change: Change, { send, signal }: Calls): Promise<null> {
    const { name, type } = writtenSet(change);
    if (!CAPABILITIES.types.has(type)) throw refusedHere(400, `there are no ${type} records`);
    const present = await this.#linesAt(zone, name, signal);
    if (!isAsRead(change, present))
      throw changedCall("the records of the name are not as they were read");
    const before = present.filter((line) => line.type === type);
    const after = change.op === "remove" ? [] : linesOf(change.next);
    const gone = before.filter((line) => !after.some((one) => isSame(one, line)));
    const come = after.filter((line) => !before.some((one) => isSame(one, line)));
    const shared = gone.find(({ isShared }) => isShared);
    if (shared !== undefined)
      throw refusedHere(
        409,
        `a line of Pi-hole has other names, too: ${shared.text}; write a line for each name`,
      );
    const calls = [
      ...come.map((line) => ["PUT", line] as const),
      ...gone.map((line) => ["DELETE", line] as const),
    ];
    for (const [method, line] of type === "CNAME" ? calls.reverse() : calls) {
      const path = `${pathOf(line.list)}/${encodeURIComponent(line.text)}`;
      await send(() => this.#api.call({ method, path, body: null, changes: zone.name }, signal));
      const written = method === "PUT" ? [line] : [];
      this.learn(zone, name, { isGone: (one) => one === line, come: written });
    }
    return null;
  }

  async #linesAt(zone: Zone, name: DnsName, signal: AbortSignal): Promise<readonly Line[]> {
    const known = this.known.at(zone, name);
    if (known !== null) return known;
    await this.turn();
    await this.readNames(zone, [name], signal);
    return this.known.at(zone, name) ?? [];
  }

  /** Complete or thrown. */
  async #lines(list: Line["list"], what: string, signal: AbortSignal): Promise<readonly Line[]> {
    const { config } = await this.read(what, () => this.#api.get(pathOf(list), signal));
    const { [list]: found = null } = fieldsOf(fieldsOf(config)["dns"]);
    const texts = found === null ? null : textsOf(found);
    if (texts === null) throw incomplete(`${what}: the answer has no ${list}; is it Pi-hole 6?`);
    return texts.flatMap((text) => {
      const lines = linesIn(list, text);
      if (lines === null) throw incomplete(`${what}: a line of ${list} is none`);
      return lines;
    });
  }

  async #askSession(password: string): Promise<string> {
    const call = { method: "POST", path: "/api/auth", body: { password }, changes: null } as const;
    try {
      const { session } = await this.#plain.fields(call, new AbortController().signal);
      const { sid, valid, message } = fieldsOf(session);
      // Without a password of its own Pi-hole has no sessions.
      if (valid === true) return textOf(sid) ?? "";
      const text = textOf(message) ?? "the answer is none of Pi-hole 6";
      throw new RefusedCall({ status: 401, text, retryAfterMs: null });
    } catch (error) {
      if (error instanceof OperationError) throw error;
      throw unsent(explainCall(error, "no session was given", REFUSALS));
    }
  }
}

/** Secret: `Server`, perhaps `Password`. */
export const PIHOLE_PROVIDER = {
  ...sessionType(PIHOLE_TYPE, parseOptions, PiholeSession),
  namedZones,
};

/** Before anything was sent. */
function refusedHere(status: number, text: string): RefusedCall {
  return new RefusedCall({ status, text, retryAfterMs: null });
}

function pathOf(list: Line["list"]): string {
  return `/api/config/dns/${list}`;
}

/** What is replaced or removed is there, what comes is not, and a CNAME has the name for itself. */
function isAsRead(change: Change, present: readonly Line[]): boolean {
  const { type } = writtenSet(change);
  const [read] = setsOfValues(present.filter((line) => line.type === type));
  if (change.op !== "create" && (read === undefined || !hasSameData(read, change.previous)))
    return false;
  if (change.op === "remove") return true;
  const isInTheWay = present.some((one) => one.type !== type && [one.type, type].includes("CNAME"));
  return !isInTheWay && (change.op === "replace" || read === undefined);
}

function isSame(one: Line, other: Line): boolean {
  return one.value === other.value && one.ttlSeconds === other.ttlSeconds;
}
