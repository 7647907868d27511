/** The conformance harness of coredns-etcd on its fake, and sessions on it. */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import {
  type EtcdEntry,
  entryName,
  fieldsIn,
  type KeySpace,
  toSets,
  withSet,
} from "../../../../src/providers/coredns/convert.ts";
import { COREDNS_PROVIDER } from "../../../../src/providers/coredns/session.ts";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type EnvironmentChanges, realEnvironment } from "../../values/rfc2136-session.ts";
import { FakeEtcd } from "./server.ts";

/** How a session is opened. */
export interface CoreDnsSessionOptions {
  readonly secret?: Readonly<Record<string, string>>;
  readonly config?: object;
  readonly environment?: EnvironmentChanges;
}

/** A session; `server` is `http://127.0.0.1:port`. */
export function openCoreDns(
  server: string,
  { secret = {}, config = {}, environment = {} }: CoreDnsSessionOptions = {},
): ProviderSession {
  const settings = {
    secret: { Server: server, ...secret },
    config: { zones: ["example.org"], ...config },
  };
  const opened = COREDNS_PROVIDER.open(settings, realEnvironment(environment));
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("; "));
  return opened.value;
}

const KEY_SPACE: KeySpace = { prefix: "/skydns", apex: trustedDnsName("example.org") };

/** Keys and values as record sets of `keySpace`. */
export function setsIn(
  keys: readonly (readonly [string, string])[],
  keySpace = KEY_SPACE,
): readonly RecordSet[] {
  const byName = new Map<DnsName, EtcdEntry[]>();
  for (const [key, value] of keys) {
    const entry = { key, revision: "1", fields: fieldsIn(value) };
    const name = entryName(entry, keySpace);
    if (name !== null) byName.set(name, [...(byName.get(name) ?? []), entry]);
  }
  return [...byName].flatMap(([name, own]) => toSets(name, own));
}

/** The keys and values that a stranger writes for a record set. */
export function keysOf(set: RecordSet): readonly (readonly [string, string])[] {
  return withSet([], set, KEY_SPACE).map(({ key, fields }) => [key, JSON.stringify(fields)]);
}

/** etcd `api/v3rpc/rpctypes`: ErrTooManyRequests, code 8, which the gateway answers as 429. */
const TOO_MANY = "etcdserver: too many requests";

/** With one zone, `example.org`. */
export async function coreDnsHarness(): Promise<ProviderHarness> {
  const fake = new FakeEtcd();
  const server = await fake.start();
  fake.user = { name: "zonekeeper", password: "the etcd pass word" };
  const { name: Username } = fake.user;
  let { password: Password } = fake.user;
  return {
    zone: trustedDnsName("example.org"),
    open: (environment = {}) =>
      openCoreDns(server, { secret: { Username, Password }, environment }),
    poll: async (name, type) => {
      const found = setsIn(fake.keys).find((set) => set.name === name && set.type === type);
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => {
      for (const [key, value] of keysOf(set)) fake.put(key, value);
    },
    loseNextAnswer: () => fake.breakNext(/txn/, { is: "cut-after" }),
    throttleNext: (seconds) =>
      fake.throttleNext(
        /txn/,
        JSON.stringify({ error: TOO_MANY, message: TOO_MANY, code: 8 }),
        seconds,
      ),
    fake: fake.breakable({ writes: /txn/, listings: /range/ }, () => {
      const expired = Password;
      Password = "the next pass word";
      fake.user = { name: Username, password: Password };
      fake.revokeTokens();
      return [expired];
    }),
    settle: async () => undefined,
    takeCalls: () => fake.takeCalls(),
    stop: () => fake.stop(),
  };
}
