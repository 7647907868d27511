import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { MemorySession } from "../../../test/support/memory-provider/memory-session.ts";
import { MemoryAccount } from "../../../test/support/memory-provider/provider.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { openTxtOwnership } from "../../ownership/txt/ownership.ts";
import { ZoneTexts } from "../cache/columns/zone-texts.ts";
import { AccountBudget } from "../calls/account-budget.ts";
import { SYNC_DEFAULTS } from "../contract/settings.ts";
import type { OpenZoneInput } from "../contract/zone.ts";
import { ZoneReader } from "./zone-reader.ts";

const APEX = trustedDnsName("example.org");

/** A loaded reader whose session gives a hint when told to. */
async function hinted() {
  const clock = new VirtualClock();
  const account = new MemoryAccount();
  const { zone } = account.addZone({ name: APEX });
  const session = new MemorySession({
    zones: () => account.zones(),
    faults: {
      apply: () => account.faults.apply("", []),
      read: () => account.faults.read("", null),
    },
    environment: { clock, dryRun: false },
  });
  const listeners = new Set<() => void>();
  Object.assign(session, {
    onChangeHint: (_zone: unknown, onHint: () => void) => {
      listeners.add(onHint);
      return () => listeners.delete(onHint);
    },
  });
  const zoneInput: OpenZoneInput = {
    key: { account: "a", zone: APEX },
    zone,
    session,
    ownership: openTxtOwnership({ apex: APEX, isOwnedByUs: () => true }),
    policy: "sync",
    adoption: { mode: "never" },
    managedTypes: new Set(["A"]),
    defaultTtlSeconds: 300,
  };
  const abort = new AbortController();
  const wakeCalls = { woken: 0 };
  const reader = new ZoneReader({
    zoneInput,
    texts: new ZoneTexts(),
    owners: () => new Set(["me"]),
    clock,
    settings: SYNC_DEFAULTS,
    budget: new AccountBudget(clock, null),
    signal: abort.signal,
    onFence: () => undefined,
    wake: () => {
      wakeCalls.woken += 1;
    },
  });
  const hint = (): void => {
    for (const listener of listeners) listener();
  };
  await reader.load();
  return { clock, reader, zoneInput, hint, abort, listeners, wakeCalls };
}

test("a hint makes the next look at the change token due, and wakes the loop", async () => {
  const { clock, reader, hint, wakeCalls } = await hinted();
  await clock.advance(5_000);
  expect(reader.pollInMs()).toBe(5_000);
  hint();
  expect(reader.pollInMs()).toBe(0);
  expect(wakeCalls.woken).toBe(1);
});

test("however many hints come, the token is asked once a second at most", async () => {
  const { clock, reader, hint } = await hinted();
  await clock.advance(5_000);
  let polls = 0;
  for (let passedMs = 0; passedMs < 10_000; passedMs += 10) {
    hint();
    if (reader.pollInMs() === 0) {
      await reader.poll();
      polls += 1;
    }
    await clock.advance(10);
  }
  expect(polls).toBe(10);
});

test("after the look the old rhythm is back", async () => {
  const { clock, reader, hint } = await hinted();
  await clock.advance(5_000);
  hint();
  await reader.poll();
  expect(reader.pollInMs()).toBe(SYNC_DEFAULTS.tokenPollMs);
});

test("after 200 names that we wrote the token is asked at once, before the next change comes", async () => {
  const { reader } = await hinted();
  const names = Array.from({ length: 199 }, (_, index) => `n${index}.example.org`);
  reader.wrote(names, true);
  expect(reader.pollInMs()).toBe(SYNC_DEFAULTS.tokenPollMs);
  reader.wrote(["n199.example.org"], false);
  expect(reader.pollInMs()).toBe(0);
  await reader.poll();
  expect(reader.pollInMs()).toBe(SYNC_DEFAULTS.tokenPollMs);
});

test("one subscription at a time; none after the end", async () => {
  const { reader, zoneInput, abort, listeners } = await hinted();
  reader.use({ ...zoneInput });
  expect(listeners.size).toBe(1);
  abort.abort();
  expect(listeners.size).toBe(0);
});
