/** The conformance harness of pihole on its fake, and sessions on it. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import { LISTS, linesIn, linesOf } from "../../../../src/providers/pihole/lines.ts";
import { PIHOLE_PROVIDER } from "../../../../src/providers/pihole/session.ts";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import { setsOfValues } from "../../../../src/providers/shared/plain-sets.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type EnvironmentChanges, realEnvironment } from "../../values/rfc2136-session.ts";
import { FakePihole } from "./server.ts";

/** A session on the fake. */
export function openPihole(
  server: string,
  password: string,
  environment: EnvironmentChanges = {},
  zones: readonly string[] = ["example.org"],
): ProviderSession {
  const settings = { secret: { Server: server, Password: password }, config: { zones } };
  const opened = PIHOLE_PROVIDER.open(settings, realEnvironment(environment));
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("; "));
  return opened.value;
}

/** What Pi-hole has, as record sets. */
export function setsIn(fake: FakePihole): readonly RecordSet[] {
  const lines = LISTS.flatMap((list) => fake.lists[list]?.map((text) => linesIn(list, text)));
  return setsOfValues(lines.flatMap((one) => one ?? []));
}

/** With one zone, `example.org`, and a record in it that nobody touches. */
export async function piholeHarness(): Promise<ProviderHarness> {
  const fake = new FakePihole();
  const server = await fake.start();
  fake.lists["hosts"]?.push("192.0.2.99 other.example.org", "192.0.2.98 nas.lan nas");
  const lists = /\/api\/config\/dns\//.source;
  return {
    zone: trustedDnsName("example.org"),
    open: (environment = {}) => openPihole(server, fake.password, environment),
    poll: async (name, type) => {
      const found = setsIn(fake).find((set) => set.name === name && set.type === type);
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => {
      for (const { list, text } of linesOf(set)) fake.lists[list]?.push(text);
    },
    loseNextAnswer: () => fake.breakNext(new RegExp(`^(PUT|DELETE) ${lists}`), { is: "cut-after" }),
    throttleNext: (seconds) => fake.throttleNext(new RegExp(`^(PUT|DELETE) ${lists}`), "", seconds),
    fake: fake.breakable(
      { writes: new RegExp(`^(PUT|DELETE) ${lists}`), listings: new RegExp(`^GET ${lists}`) },
      () => {
        const expired = [fake.password, ...fake.endSessions()];
        fake.password = "the-next-pihole-password";
        return expired;
      },
    ),
    settle: async () => undefined,
    takeCalls: () => fake.takeCalls(),
    stop: () => fake.stop(),
  };
}
