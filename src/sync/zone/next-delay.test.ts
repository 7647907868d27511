import { expect, test } from "vitest";
import { SYNC_DEFAULTS } from "../contract/settings.ts";
import { gatherUntilMs } from "./next-delay.ts";

const CAPABILITIES = { atomicity: "zone", batch: { groupsMax: 500 } } as const;
type Capabilities = Parameters<typeof gatherUntilMs>[1]["capabilities"];

test.each<[string, { names: number; atomicity?: "set"; beforeMs?: number }, number]>([
  ["a single change: the next one waits little", { names: 1 }, 1_010],
  ["a round that writes nothing, too", { names: 0 }, 1_010],
  ["… and it does not end what is gathered", { names: 0, beforeMs: 1_080 }, 1_080],
  ["a few changes make the next ones wait a little longer", { names: 3 }, 1_030],
  ["batches that are all or nothing are filled", { names: 60 }, 1_300],
  ["one that was full is followed sooner", { names: 500 }, 1_100],
  ["others do not wait for so long", { names: 60, atomicity: "set" }, 1_100],
])("%s", (_what, { names, atomicity, beforeMs = 900 }, expected) => {
  const capabilities = { ...CAPABILITIES, ...(atomicity && { atomicity }) } as Capabilities;
  const round = { atMs: 1_000, names, capabilities, settings: SYNC_DEFAULTS };
  expect(gatherUntilMs(beforeMs, round)).toBe(expected);
});
