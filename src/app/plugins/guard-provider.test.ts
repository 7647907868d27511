/** What a session of a plug-in answers, throws and leaves unanswered, as the program sees it. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { create, recordSet } from "../../../test/conformance/provider-harness.ts";
import { CLASS_A, capabilitiesOf } from "../../../test/support/memory-provider/behaviour.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { realEnvironment } from "../../../test/support/values/rfc2136-session.ts";
import type { Zone } from "../../model/zone.ts";
import type { Outcome } from "../../plan/changes.ts";
import type { ProviderSession, ProviderType } from "../../providers/provider.ts";
import { guardProvider } from "./guard-provider.ts";
import type { Watch } from "./watched-calls.ts";

const PLUGIN = { name: "acme", given: "./acme.js", file: "/acme.js" };
const NAME = trustedDnsName("example.org");
const ZONE: Zone = { id: "1", name: NAME, providerType: "acme", endpoint: "", view: "" };
const A = recordSet("www.example.org", "A", "192.0.2.1");
const never = (): Promise<never> => new Promise(() => undefined);
const signal = new AbortController().signal;

async function* yielding(...outcomes: readonly Outcome[]): AsyncIterable<Outcome> {
  yield* outcomes;
}

const GOOD: ProviderSession = {
  capabilities: capabilitiesOf(CLASS_A),
  zones: async () => [ZONE],
  records: async () => ({ sets: [A], token: null }),
  audit: () => [],
  normalize: (set) => set,
  apply: () => yielding({ name: A.name, status: "applied" }),
  close: () => undefined,
};

async function opened(changes: Partial<ProviderSession>, clock = new VirtualClock()) {
  const value = { ...GOOD, ...changes };
  const type = guardProvider({ type: "acme", open: () => ({ ok: true, value }) }, PLUGIN);
  const session = await type.open({ secret: {}, config: {} }, realEnvironment({ clock }));
  if (!session.ok) throw new Error(session.error.map(({ message }) => message).join());
  return session.value;
}

async function messageOfRead(changes: Partial<ProviderSession>): Promise<string> {
  const session = await opened(changes);
  return session.records(ZONE, null, signal).then(
    () => "read",
    (error: unknown) => (error instanceof OperationError ? error.message : `bug: ${error}`),
  );
}

async function applied(session: ProviderSession): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const one of session.apply(ZONE, [create(A)], signal)) outcomes.push(one);
  return outcomes;
}

test("a good one is as it is", async () => {
  const session = await opened({ changeToken: async () => "7" });
  expect(await session.zones(signal)).toEqual([ZONE]);
  expect(await session.records(ZONE, null, signal)).toEqual({ sets: [A], token: null });
  expect(await session.changeToken?.(ZONE, signal)).toBe("7");
  expect(session.changesSince).toBeUndefined();
  expect(await applied(session)).toEqual([{ name: A.name, status: "applied" }]);
});

test.each<[string, unknown]>([
  ["token is missing: it must be a text that is not empty or null", { sets: [A] }],
  ["sets[0].ttlSeconds must be a whole number", { sets: [{ ...A, ttlSeconds: "1" }], token: null }],
  ["sets[0] must be a record set of example.org", { sets: [{ ...A, values: [] }], token: null }],
  [
    "sets[0] must be a record set of example.org",
    { sets: [{ ...A, name: "www.example.net" }], token: null },
  ],
])("a reading that is wrong is none: %s", async (message, answer) => {
  const text = await messageOfRead({ records: async () => answer as never });
  expect(text).toContain(`the plug-in acme (./acme.js) answered garbage to records: ${message}`);
});

test("what is thrown names the plug-in, and advice of a copy of OperationError is followed", async () => {
  expect(await messageOfRead({ records: () => Promise.reject(new Error("no luck")) })).toBe(
    "the plug-in acme (./acme.js) threw in records: no luck. Records stay as they are; mend the plug-in",
  );
  const copy = Object.assign(new Error("slow down"), {
    ...{ name: "OperationError", code: "Throttled", retry: "after", retryAfterMs: 50 },
  });
  const session = await opened({ records: () => Promise.reject(copy) });
  const error = await session.records(ZONE, null, signal).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(OperationError);
  expect(error).toMatchObject({ code: "Throttled", retry: "after", retryAfterMs: 50 });
});

test("no answer within a minute is a failed call", async () => {
  const clock = new VirtualClock();
  const session = await opened({ records: never }, clock);
  const read = session.records(ZONE, null, signal).catch((one: unknown) => String(one));
  await clock.advance(60_000);
  expect(await read).toContain("did not answer to records within 60 s");
});

test.each<[string, ProviderSession["apply"]]>([
  ["an outcome of no group", () => yielding({ name: NAME, status: "applied" })],
  ["not all groups have outcomes", () => yielding()],
])("an application with %s fails, so that its name is read", async (message, apply) => {
  const session = await opened({ apply });
  await expect(applied(session)).rejects.toThrow(`answered garbage to apply: ${message}`);
});

test("pure questions that throw hold the record, and never end the process", async () => {
  const session = await opened({
    audit: () => {
      throw new Error("no luck");
    },
    normalize: () => {
      throw new Error("no luck");
    },
  });
  expect(session.audit(A, ZONE)).toMatchObject([{ code: "PluginFailed" }]);
  expect(session.normalize(A, ZONE)).toBe(A);
});

test("one that is left off is neither opened nor asked for zones", async () => {
  const provider: ProviderType = { type: "acme", open: never, namedZones: never };
  const plugin = { ...PLUGIN, leftOff: "is left off: it loops" };
  const type = guardProvider(provider, plugin);
  const settings = { secret: {}, config: {} };
  const session = await type.open(settings, realEnvironment({ clock: new VirtualClock() }));
  expect(session).toMatchObject({
    error: [{ message: expect.stringContaining("(./acme.js) is left off: it loops. Records") }],
  });
  expect(await type.namedZones?.(settings)).toEqual([]);
});

test("every call of a session is watched", async () => {
  const seen: string[] = [];
  const watch: Watch = (call, run) => {
    seen.push(call);
    return run();
  };
  const value: ProviderSession = { ...GOOD, pace: () => undefined, changeToken: async () => "7" };
  const open = () => ({ ok: true, value }) as const;
  const type = guardProvider({ type: "acme", open, namedZones: () => [] }, PLUGIN, 1000, watch);
  const settings = { secret: {}, config: {} };
  const session = await type.open(settings, realEnvironment({ clock: new VirtualClock() }));
  if (!session.ok) throw new Error("not opened");
  await type.namedZones?.(settings);
  await session.value.zones(signal);
  await session.value.records(ZONE, null, signal);
  session.value.audit(A, ZONE);
  session.value.normalize(A, ZONE);
  await applied(session.value);
  await session.value.changeToken?.(ZONE, signal);
  session.value.close();
  expect(seen).toEqual([
    ...["open", "namedZones", "zones", "records", "audit", "normalize", "apply", "apply"],
    ...["changeToken", "close"],
  ]);
});
