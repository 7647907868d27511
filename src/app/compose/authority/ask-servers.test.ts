import { OperationError } from "@zonekeeper/base/operation-error";
import type { Net } from "@zonekeeper/base/ports/net";
import { expect, test } from "vitest";
import { nameOf } from "../../../../test/support/values/zone-text.ts";
import type { NameExplanation } from "../../../sync/contract/name-explanation.ts";
import { RealClock } from "../../ports/real-clock.ts";
import { RealCrypto, RealRandom } from "../../ports/real-crypto.ts";
import { askServers } from "./ask-servers.ts";

/** Nobody is there; remembers who was looked for. */
function deadNet(): {
  readonly net: Net;
  readonly asked: string[];
  readonly mayDial: (boolean | undefined)[];
} {
  const asked: string[] = [];
  const mayDial: (boolean | undefined)[] = [];
  const refuse = (): never => {
    throw new OperationError({ code: "ConnectFailed", message: "refused", retry: "backoff" });
  };
  const net: Net = {
    connectTcp: async ({ host, port }, options) => {
      mayDial.push(options.mayDial?.("127.0.0.1"));
      asked.push(`${host}:${port}`);
      return refuse();
    },
    listenTcp: async () => refuse(),
    bindUdp: async () => refuse(),
  };
  return { net, asked, mayDial };
}

const explanation: NameExplanation = {
  zone: { account: "a", zone: "example.org" },
  ...{
    apex: nameOf("@"),
    isTrusted: true,
    endpoint: "192.0.2.53:5353",
    paused: null,
    name: nameOf("www"),
  },
  servers: [
    { name: "ns1.example.org", addresses: ["192.0.2.53"] },
    { name: "ns2.example.org", addresses: ["192.0.2.54", "2001:db8::54"] },
    { name: "ns.example.net", addresses: [] },
  ],
  ...{ verdict: "open", desired: [], claims: [], current: [], standing: [], holds: [] },
  ...{ owner: null, resource: null, heldSets: [], lastOutcome: null, nextTryAtMs: null },
};

test("each server is asked once, and one that cannot be reached is said so", async () => {
  const { net, asked } = deadNet();
  const ports = { clock: new RealClock(), random: new RealRandom(), crypto: new RealCrypto() };
  const answers = await askServers({ net, ...ports }, explanation);
  expect(asked.sort()).toEqual([
    "192.0.2.53:5353",
    "192.0.2.54:53",
    "2001:db8::54:53",
    "ns.example.net:53",
  ]);
  expect(answers.map(({ server, trouble }) => [server, trouble])).toEqual([
    ["192.0.2.53:5353", "refused"],
    ["ns2.example.org (192.0.2.54)", "refused"],
    ["ns2.example.org (2001:db8::54)", "refused"],
    ["ns.example.net", "refused"],
  ]);
});

test("Z-29: what a DNSProvider of a tenant names is dialled as live checks dial it", async () => {
  const { net, mayDial } = deadNet();
  const ports = { clock: new RealClock(), random: new RealRandom(), crypto: new RealCrypto() };
  const answers = await askServers({ net, ...ports }, { ...explanation, isTrusted: false });
  expect(mayDial).toEqual([false, false, false, false]);
  expect(new Set(answers.map(({ trouble }) => trouble))).toEqual(new Set(["no answer"]));
  await askServers({ net, ...ports }, explanation);
  expect(mayDial.slice(4)).toEqual([undefined, undefined, undefined, undefined]);
});
