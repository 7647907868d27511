/** Z-29 against sessions of the rfc2136 provider: what a namespace that is not trusted learns. */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { ConnectOptions, Net } from "@zonekeeper/base/ports/net";
import { expect, test } from "vitest";
import { type Exchange, ScriptedServer } from "../../../test/support/ports/scripted-server.ts";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { openSession, realEnvironment } from "../../../test/support/values/rfc2136-session.ts";
import { RealNet } from "../../app/ports/real-net.ts";
import type { ProviderEnvironment, ProviderType } from "../../providers/provider.ts";
import type { AccountPorts } from "./account.ts";
import { Accounts } from "./accounts.ts";
import { environmentFor } from "./guarded-environment.ts";

const trusts = (namespace: string): boolean => namespace === "home";
const KEY = { name: "key", algorithm: "hmac-sha256", secretBase64: btoa("secret") } as const;
const TARGET = { host: "127.0.0.1", port: 53, zone: "example.org", key: KEY } as const;

/** The text of a status about a server that behaves so, and what the log says. */
async function seenBy(namespace: string, net: Net) {
  const [clock, log] = [new VirtualClock(), new MemoryLog()];
  const { http: _none, ...environment } = environmentFor(namespace, {
    ...realEnvironment({ net, clock, log }),
    trusts,
  });
  const session = openSession(TARGET, {}, environment);
  const zones = session.zones(new AbortController().signal).then(() => "no trouble", messageOf);
  await clock.advance(60_000);
  const message = await zones;
  session.close();
  return { message, logged: JSON.stringify(log.lines) };
}

const down = new ScriptedServer(() => {});
down.isDown = true;
const TROUBLES: readonly (readonly [string, Net, string])[] = [
  ["refused", down, "connection refused"],
  ["silent", new ScriptedServer(() => {}), "no answer within"],
  ["reset", new ScriptedServer((exchange: Exchange) => exchange.hangUp()), "closed the connection"],
  ["internal", new RealNet(), "--provider-trusted-namespaces"],
];

test("refused, timed out, reset and not dialled read alike; the log has the reason", async () => {
  const seen = await Promise.all(TROUBLES.map(([, net]) => seenBy("tenant", net)));
  expect(new Set(seen.map(({ message }) => message)).size).toBe(1);
  expect(seen[0]?.message).toContain("it cannot be reached, or does not answer; ask whoever runs");
  for (const [index, [, , reason]] of TROUBLES.entries())
    expect(seen[index]?.logged).toContain(reason);
});

test.each(TROUBLES.slice(0, 3))(
  "a trusted namespace reads of a server that is %s",
  async (...of) => {
    const [, net, reason] = of;
    expect((await seenBy("home", net)).message).toContain(reason);
  },
);

test("addresses are asked about where the namespace is not trusted, and nowhere else", async () => {
  const seen: ConnectOptions[] = [];
  const net = Object.assign(new ScriptedServer(() => {}), {
    connectTcp: async (_to: unknown, options: ConnectOptions) => {
      seen.push(options);
      throw new Error("not dialled");
    },
  });
  for (const namespace of ["home", "tenant"]) {
    const { net: given } = environmentFor(namespace, { ...realEnvironment({ net }), trusts });
    await expect(given.connectTcp(TARGET, { timeoutMs: 1 })).rejects.toThrow("not dialled");
  }
  expect(seen.map(({ mayDial }) => mayDial?.("169.254.169.254"))).toEqual([undefined, false]);
  expect(seen[1]?.mayDial?.("192.0.2.1")).toBe(true);
  expect(environmentFor("tenant", realEnvironment()).hidesTroubles, "all are trusted").toBe(
    undefined,
  );
});

test("equal settings are one account among those that are trusted alike", async () => {
  const opened: ProviderEnvironment[] = [];
  const type: ProviderType = {
    type: "fake",
    open: (_settings, environment) => {
      opened.push(environment);
      return { ok: false, error: [] };
    },
  };
  const accounts = new Accounts({
    types: new Map([["fake", type]]),
    environment: { ...realEnvironment(), trusts },
    ports: {} as AccountPorts,
    onChange: () => {},
  });
  for (const id of ["home/a", "tenant/a"]) {
    const holder = { id, createdAtMs: 0, sameAs: [], otherThan: [] };
    await accounts.acquire(holder, "fake", { secret: {}, config: null });
  }
  expect(opened.map(({ hidesTroubles = false }) => hidesTroubles)).toEqual([false, true]);
});
