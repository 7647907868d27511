/** Receipts of changes: whether a provider's servers have what it accepted. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { MemorySession } from "../../../test/support/memory-provider/memory-session.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { Propagation, ProviderSession } from "../../providers/provider.ts";

const WWW = trustedDnsName("www.example.org");

/** A zone whose provider counts its changes, and says of each whether its servers have it. */
async function fixture() {
  const world = engineWorld();
  const { clock, engine, zoneInput } = world;
  const asked: string[] = [];
  const everywhere = new Set<string>();
  let changes = 0;
  let trouble: OperationError | null = null;
  const { session } = zoneInput;
  if (!(session instanceof MemorySession)) throw new Error("the world is in memory");
  const apply: ProviderSession["apply"] = async function* (zone, groups, signal) {
    changes += 1;
    for await (const outcome of MemorySession.prototype.apply.call(session, zone, groups, signal))
      yield outcome.status === "applied" ? { ...outcome, receipt: `C${changes}` } : outcome;
  };
  const propagationOf = async (_zone: unknown, receipt: string): Promise<Propagation> => {
    asked.push(receipt);
    if (trouble !== null) throw trouble;
    return { is: everywhere.has(receipt) ? "live" : "pending" };
  };
  const own = { apply, propagationOf };
  engine.openZone({ ...zoneInput, session: Object.assign(session, own) });
  const publish = async (value: string): Promise<void> => {
    engine.contribute(KEY, entry("www", [value]));
    await clock.advance(5_000);
  };
  await publish("192.0.2.1");
  const refuse = (error: OperationError | null): void => {
    trouble = error;
  };
  const ask = (): Promise<Propagation | null> => engine.propagationOf(KEY, WWW);
  return { ...world, asked, everywhere, publish, ask, refuse };
}

test("the provider is asked for the last change of the name, and no more once its servers have it", async () => {
  const { engine, asked, everywhere, publish, ask } = await fixture();
  expect(await ask()).toEqual({ is: "pending" });
  await publish("192.0.2.2");
  everywhere.add("C1");
  expect(await ask()).toEqual({ is: "pending" });
  everywhere.add("C2");
  expect(await ask()).toEqual({ is: "live" });
  expect(await ask()).toBeNull();
  expect(asked).toEqual(["C1", "C2", "C2"]);
  await engine.stop();
});

test("a name that was not changed by this process, and a zone that is not open, are not known", async () => {
  const { engine, asked } = await fixture();
  const other = trustedDnsName("other.example.org");
  expect(await engine.propagationOf(KEY, other)).toBeNull();
  expect(await engine.propagationOf({ account: "a", zone: "example.net" }, WWW)).toBeNull();
  expect(asked).toEqual([]);
  await engine.stop();
});

test("a provider that does not tell is no trouble, and is asked again", async () => {
  const { engine, everywhere, ask, refuse } = await fixture();
  refuse(new OperationError({ code: "ProviderUnavailable", message: "no", retry: "backoff" }));
  expect(await ask()).toBeNull();
  refuse(null);
  everywhere.add("C1");
  expect(await ask()).toEqual({ is: "live" });
  await engine.stop();
});
