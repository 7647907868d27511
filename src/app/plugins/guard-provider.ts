/**
 * A provider of a plug-in: what it throws, what cannot be its answer and an answer that does not
 * come are failed calls, so that its zones keep their records and others go on (principle 5).
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import { fail, ok } from "@zonekeeper/base/result";
import { isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
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
import { CALL_TIMEOUT_MS, PluginCalls } from "./plugin-calls.ts";
import type { LoadedPlugin } from "./plugin-module.ts";
import {
  DNS_NAME,
  type FieldShape,
  FULL_TEXT,
  FUNCTION,
  LIST,
  OBJECT,
  oneOf,
  orNull,
  RECORD_SET,
  type Shape,
  TEXT,
  wrongElement,
  wrongField,
} from "./shape.ts";
import { UNWATCHED, type Watch } from "./watched-calls.ts";

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
  ...{ cnameConflicts: oneOf("refused", "dropped"), batch: OBJECT, ttl: OBJECT },
  rate: orNull(OBJECT),
};
const ZONE: Shape = { id: FULL_TEXT, name: DNS_NAME, endpoint: TEXT, view: TEXT };
const SNAPSHOT: Shape = { sets: LIST, token: orNull(FULL_TEXT) };
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

const STATUSES = "applied precondition-failed rejected refused-together retry unknown".split(" ");

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
