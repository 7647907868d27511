/** Accounts whose provider module is still being loaded when a second holder asks for them. */
import { expect, test } from "vitest";
import { MemoryMetrics } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { realEnvironment } from "../../../test/support/values/rfc2136-session.ts";
import { MemoryAccounts } from "../../../test/support/worlds/gardener-world.ts";
import { MemoryEngine } from "../../../test/support/worlds/memory-engine.ts";
import type { ProviderType } from "../../providers/provider.ts";
import type { AccountPorts } from "./account.ts";
import { Accounts, type Holder } from "./accounts.ts";

const SETTINGS = { secret: { KEY: "x" }, config: null };

function holder(id: string): Holder {
  return { id, createdAtMs: 0, sameAs: [], otherThan: [] };
}

function accountsOf(provider: ProviderType): Accounts {
  const clock = new VirtualClock();
  const environment = { ...realEnvironment(), clock };
  const metrics = new MemoryMetrics();
  const ports = { engine: new MemoryEngine(), clock, log: environment.log, metrics };
  return new Accounts({
    types: new Map([["memory", provider]]),
    environment,
    ports: ports as unknown as AccountPorts,
    onChange: () => {},
  });
}

test("holders that ask while the module is loaded share one account, and one session is left", async () => {
  const memory = new MemoryAccounts();
  let loaded: () => void = () => {};
  const loading = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  const accounts = accountsOf({
    type: "memory",
    open: async (settings) => {
      await loading;
      return memory.open(settings);
    },
  });
  const acquired = ["default/a", "default/b"].map((id) =>
    accounts.acquire(holder(id), "memory", SETTINGS),
  );
  loaded();
  const [one, other] = await Promise.all(acquired);
  expect(one?.ok && other?.ok && one.value === other.value).toBe(true);
  expect([memory.opened, memory.closed]).toEqual([2, 1]);
  await accounts.release("default/a");
  expect(memory.closed, "the second holder still has it").toBe(1);
  await accounts.close();
  expect(memory.closed).toBe(2);
});
