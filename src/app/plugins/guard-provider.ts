/**
 * A provider of a plug-in: what it throws, what cannot be its answer and an answer that does not
 * come are failed calls, so that its zones keep their records and others go on (principle 5).
 */
import { messageOf, OperationError, type RetryAdvice } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { fail, ok } from "@zonekeeper/base/result";
import { isAtOrBelow, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { fieldsOf, isFields } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import { compareKeys } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { hidingSecrets } from "../../providers/index.ts";
import type {
  OpenedSession,
  ProviderSession,
  ProviderType,
  ZoneSnapshot,
} from "../../providers/provider.ts";
import { type LoadedPlugin, pluginText } from "./plugin-module.ts";
import {
  COUNT,
  type FieldShape,
  FULL_TEXT,
  FUNCTION,
  LIST,
  OBJECT,
  oneOf,
  orNull,
  type Shape,
  TEXT,
  wrongElement,
  wrongField,
} from "./shape.ts";
import { UNWATCHED, type Watch, type WatchedCall } from "./watched-calls.ts";

/** Longest that a call may take where the module does not say. */
const CALL_TIMEOUT_MS = 60_000;

/** The type as the program may use it. `timeoutMs`: of one call. */
export function guardProvider(
  provider: ProviderType,
  plugin: LoadedPlugin,
  timeoutMs: number = CALL_TIMEOUT_MS,
  watch: Watch = UNWATCHED,
): ProviderType {
  const { type } = provider;
  const { leftOff } = plugin;
  const guardedType: ProviderType = {
    type,
    open: async (settings, environment) => {
      const calls = new PluginCalls(plugin, { clock: environment.clock, timeoutMs, watch });
      if (leftOff !== undefined) return fail([settingsProblem(calls.failed(leftOff).message)]);
      try {
        const opened = await calls.within("open", () => provider.open(settings, environment));
        return toSession(opened, type, calls);
      } catch (error) {
        return fail([settingsProblem(messageOf(error))]);
      }
    },
    ...(provider.namedZones === undefined || leftOff !== undefined
      ? {}
      : {
          namedZones: async (settings) =>
            (await watch("namedZones", () => provider.namedZones?.(settings))) ?? [],
        }),
  };
  return hidingSecrets(type, async () => guardedType);
}

const SESSION: Shape = {
  ...{ capabilities: OBJECT, zones: FUNCTION, records: FUNCTION, audit: FUNCTION },
  ...{ normalize: FUNCTION, apply: FUNCTION, close: FUNCTION },
};
const SET_OF: FieldShape = [(value) => value instanceof Set, "must be a Set"];
const CAPABILITIES: Shape = {
  ...{ types: SET_OF, atomicity: oneOf("zone", "set", "value"), preconditions: OBJECT },
  ...{ cnameConflicts: oneOf("refused", "dropped"), batch: OBJECT, ttl: OBJECT, txt: OBJECT },
  ...{ routingPolicies: SET_OF, rate: orNull(OBJECT) },
  consistency: oneOf("read-your-writes", "eventual"),
};
const NAME: FieldShape = [
  (value) => typeof value === "string" && isCanonicalName(value),
  "must be a DNS name in lower case, without the last dot",
];
const ZONE: Shape = { id: FULL_TEXT, name: NAME, endpoint: TEXT, view: TEXT };
const SNAPSHOT: Shape = { sets: LIST, token: orNull(FULL_TEXT) };
const RECORD_SET: Shape = {
  ...{ name: NAME, type: FULL_TEXT, setIdentifier: orNull(FULL_TEXT), ttlSeconds: COUNT },
  ...{ values: LIST, properties: OBJECT, routingPolicy: orNull(OBJECT) },
};

function isCanonicalName(text: string): boolean {
  const name = parseDnsName(text);
  return name.ok && name.value === text;
}

function toSession(opened: OpenedSession, type: string, calls: PluginCalls): OpenedSession {
  if (isFields(opened) && opened.ok === false && Array.isArray(opened.error)) return opened;
  const session = isFields(opened) && opened.ok === true ? opened.value : null;
  const { capabilities } = fieldsOf(session);
  const wrong =
    wrongField(session, SESSION, "session") ??
    wrongField(capabilities, CAPABILITIES, "session.capabilities");
  if (wrong === null && session !== null) return ok(guardedSession(session, type, calls));
  return fail([settingsProblem(calls.failed(`answered garbage to open: ${wrong}`).message)]);
}

function settingsProblem(message: string): Problem {
  return { code: "PluginFailed", subject: "spec.type", message, field: "spec.type" };
}

function guardedSession(
  session: ProviderSession,
  type: string,
  calls: PluginCalls,
): ProviderSession {
  return {
    ...optionalMethods(session, calls),
    capabilities: session.capabilities,
    zones: async (signal) => {
      const zones = await calls.within("zones", () => session.zones(signal));
      calls.check("zones", wrongElement(zones, ZONE, "zones"));
      return zones.map((zone) => ({ ...zone, providerType: type }));
    },
    records: async (zone, names, signal) => {
      const read = await calls.within("records", () => session.records(zone, names, signal));
      calls.check("records", wrongSnapshot(read, zone));
      return { ...read, sets: [...read.sets].sort(compareKeys) };
    },
    audit: (set, zone) => {
      try {
        return calls.now("audit", () => session.audit(set, zone));
      } catch (error) {
        const { message } = calls.failed(`threw in audit: ${messageOf(error)}`);
        return [{ code: "PluginFailed", subject: `${set.name} ${set.type}`, message }];
      }
    },
    normalize: (set, zone) => {
      try {
        return calls.now("normalize", () => session.normalize(set, zone));
      } catch {
        // What is written is then read again and compared.
        return set;
      }
    },
    apply: (zone, groups, signal) => {
      const answered = calls.now("apply", () => session.apply(zone, groups, signal));
      return outcomes(calls, groups, answered);
    },
    close: () => calls.quietly(() => calls.now("close", () => session.close())),
  };
}

function wrongSnapshot(read: ZoneSnapshot, zone: Zone): string | null {
  const wrong = wrongField(read, SNAPSHOT, "") ?? wrongElement(read.sets, RECORD_SET, "sets");
  if (wrong !== null) return wrong;
  const index = read.sets.findIndex(
    ({ name, values }) =>
      !isAtOrBelow(name, zone.name) ||
      values.length === 0 ||
      values.some((value) => typeof value !== "string"),
  );
  return index < 0
    ? null
    : `sets[${index}] must be a record set of ${zone.name} with at least one text`;
}

/** Methods that the session lacks stay missing. */
function optionalMethods(session: ProviderSession, calls: PluginCalls) {
  const { rateKey } = session;
  const pace = session.pace?.bind(session);
  const capabilitiesFor = session.capabilitiesOf?.bind(session);
  const onChangeHint = session.onChangeHint?.bind(session);
  const changeToken = session.changeToken?.bind(session);
  const changesSince = session.changesSince?.bind(session);
  const propagationOf = session.propagationOf?.bind(session);
  return {
    ...(typeof rateKey === "string" && { rateKey }),
    ...(pace && { pace: calls.watched("pace", pace) }),
    ...(capabilitiesFor && { capabilitiesOf: calls.watched("capabilitiesOf", capabilitiesFor) }),
    ...(onChangeHint && { onChangeHint: calls.watched("onChangeHint", onChangeHint) }),
    ...(changeToken && { changeToken: calls.bounded("changeToken", changeToken) }),
    ...(changesSince && { changesSince: calls.bounded("changesSince", changesSince) }),
    ...(propagationOf && { propagationOf: calls.bounded("propagationOf", propagationOf) }),
  };
}

const STATUSES = [
  ...["applied", "precondition-failed", "rejected", "refused-together", "retry", "unknown"],
];

/** Exactly one for each group; what has none is unknown, and its name is read again. */
async function* outcomes(
  calls: PluginCalls,
  groups: readonly ChangeGroup[],
  answered: AsyncIterable<Outcome>,
): AsyncIterable<Outcome> {
  const open = new Set<string>(groups.map(({ name }) => name));
  const next = answered[Symbol.asyncIterator]();
  while (open.size > 0) {
    const { done, value } = await calls.within("apply", () => next.next());
    if (done === true) break;
    const isKnown = isFields(value) && STATUSES.includes(String(value["status"]));
    if (!isKnown || !open.delete(String(value["name"])))
      throw calls.failed("answered garbage to apply: an outcome of no group");
    yield value;
  }
  if (open.size > 0) throw calls.failed("answered garbage to apply: not all groups have outcomes");
}

/** What calls of a session are made with. */
interface CallPorts {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly watch: Watch;
}

/** Calls of one session. */
class PluginCalls {
  /** Runs what answers at once; it may throw as the plug-in does. */
  readonly now: Watch;
  readonly #plugin: LoadedPlugin;
  readonly #clock: Clock;
  readonly #timeoutMs: number;

  constructor(plugin: LoadedPlugin, { clock, timeoutMs, watch }: CallPorts) {
    this.now = watch;
    this.#plugin = plugin;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** The answer, if it comes in time; else an OperationError that names the plug-in. */
  async within<T>(what: WatchedCall, call: () => T | Promise<T>): Promise<T> {
    let stop = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      const seconds = this.#timeoutMs / 1000;
      const timer = this.#clock.setTimer(this.#timeoutMs, () =>
        reject(this.failed(`did not answer to ${what} within ${seconds} s`)),
      );
      stop = () => timer.cancel();
    });
    try {
      return await Promise.race([this.now(what, call), late]);
    } catch (error) {
      throw asOperation(error) ?? this.failed(`threw in ${what}: ${messageOf(error)}`);
    } finally {
      stop();
    }
  }

  /** The method, each call of which is `within`. */
  bounded<A extends readonly unknown[], T>(what: WatchedCall, method: (...given: A) => Promise<T>) {
    return (...given: A): Promise<T> => this.within(what, () => method(...given));
  }

  /** The method, each call of which is `now`. */
  watched<A extends readonly unknown[], T>(what: WatchedCall, method: (...given: A) => T) {
    return (...given: A): T => this.now(what, () => method(...given));
  }

  /** Throws where an answer is wrong. */
  check(what: string, wrong: string | null): void {
    if (wrong !== null) throw this.failed(`answered garbage to ${what}: ${wrong}`);
  }

  failed(what: string): OperationError {
    const message = `the ${pluginText(this.#plugin)} ${what}. Records stay as they are; mend the plug-in`;
    return new OperationError({ code: "PluginFailed", message, retry: "backoff" });
  }

  quietly(call: () => void): void {
    try {
      call();
    } catch {
      // It is closed in any case.
    }
  }
}

const ADVICES: readonly RetryAdvice[] = ["backoff", "after", "never"];

/**
 * A plug-in has a copy of this class of its own, so that what it throws is known by its fields;
 * null = it is no OperationError.
 */
function asOperation(error: unknown): OperationError | null {
  if (error instanceof OperationError) return error;
  if (!(error instanceof Error) || error.name !== "OperationError") return null;
  const { code, retry, retryAfterMs, nothingSent } = fieldsOf(error);
  const advice = ADVICES.find((one) => one === retry);
  if (typeof code !== "string" || advice === undefined) return null;
  return new OperationError({
    ...{ code, message: error.message, retry: advice, nothingSent: nothingSent === true },
    ...(typeof retryAfterMs === "number" ? { retryAfterMs } : {}),
    cause: error,
  });
}
