import { OperationError } from "@zonekeeper/base/operation-error";
import type { ConnectOptions, Net } from "@zonekeeper/base/ports/net";
import { expect, test } from "vitest";
import { nameOf, parseZone } from "../../../test/support/values/zone-text.ts";
import type { Propagation } from "../../providers/provider.ts";
import type { NameExplanation } from "../../sync/contract/name-explanation.ts";
import { RealClock } from "../ports/real-clock.ts";
import { RealCrypto, RealRandom } from "../ports/real-crypto.ts";
import { openLiveChecks } from "./authority/live-answer.ts";

const ZONE = { account: "a", zone: "example.org" };
const WWW = nameOf("www");

/** The message of Live for an object of the namespace, and which addresses may be dialled. */
async function asked(namespace: string, zone = ZONE, propagation: Propagation | null = null) {
  const dialled: ConnectOptions[] = [];
  const refuse = (): never => {
    throw new OperationError({ code: "ConnectFailed", message: "refused", retry: "backoff" });
  };
  const net: Net = {
    connectTcp: async (_to, options) => {
      dialled.push(options);
      return refuse();
    },
    listenTcp: async () => refuse(),
    bindUdp: async () => refuse(),
  };
  const ports = { clock: new RealClock(), random: new RealRandom(), crypto: new RealCrypto() };
  const trusts = (name: string): boolean => name === "home";
  const environment = { ...ports, net, http: refuse, log: refuse, trusts } as never;
  const explanation = { zone: ZONE, endpoint: "192.0.2.53", servers: [] } as never;
  const explain = async (): Promise<readonly NameExplanation[]> => [explanation];
  const engine = { explain, propagationOf: async () => propagation };
  const live = openLiveChecks({ environment }, { liveQueriesPerMinute: 600 }, engine);
  const object = { apiVersion: "v1", kind: "Any", metadata: { name: "web", generation: 1 } };
  const sets = parseZone("www 300 A 192.0.2.1");
  const requests = [{ namespace, zone, name: WWW, sets }];
  const shown = { id: "web", object, isReady: true, requests };
  await new Promise<void>((resolve) => {
    live.conditionOf({ ...shown, again: resolve });
  });
  const condition = live.conditionOf({ ...shown, again: () => {} });
  live.stop();
  return { condition, dialled };
}

test("a namespace that is trusted is told why a server does not answer", async () => {
  const { condition, dialled } = await asked("home");
  expect(condition?.message).toMatch(/0 of 1 servers .*; 192\.0\.2\.53: refused/);
  expect(dialled.map(({ mayDial }) => mayDial)).toEqual([undefined]);
});

test("Z-29: one that is not dials no internal address, and learns nothing of what is there", async () => {
  const { condition, dialled } = await asked("tenant");
  expect(condition?.message).toMatch(/; 192\.0\.2\.53: no answer$/);
  expect(dialled.map(({ mayDial }) => mayDial?.("127.0.0.1"))).toEqual([false]);
});

test("a zone that is not open is asked later", async () => {
  const { condition, dialled } = await asked("home", { ...ZONE, zone: "example.net" });
  expect([condition?.status, dialled]).toEqual(["Unknown", []]);
});

test("while the provider says that not all its servers have the change, none of them is asked", async () => {
  const { condition, dialled } = await asked("home", ZONE, { is: "pending" });
  expect([condition?.status, condition?.reason, dialled]).toEqual(["False", "Propagating", []]);
  const everywhere = await asked("home", ZONE, { is: "live" });
  expect(everywhere.dialled).toHaveLength(1);
});

test("a change that the provider's servers did not take is told as such, with what to do", async () => {
  const failed = { is: "failed", message: "it is in ERROR; ask the operator" } as const;
  const { condition, dialled } = await asked("home", ZONE, failed);
  expect([condition?.status, condition?.reason, dialled]).toEqual([
    "False",
    "PropagationFailed",
    [],
  ]);
  expect(condition?.message).toMatch(/^www.* do not have the change: it is in ERROR; ask the op/);
});
