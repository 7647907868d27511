import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/support/ports/virtual-clock.ts";
import type { ZoneStatus } from "../../../sync/contract/zone-status.ts";
import { awaitZone, PATIENCE_MS } from "./probe.ts";

const zone = "example.org";

function waiting(zones: () => readonly ZoneStatus[]) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  return { clock, stop, ended: awaitZone({ zones }, { zone, clock, stop: stop.signal }) };
}

const status = (state: ZoneStatus["state"], message: string | null): ZoneStatus =>
  ({ zone: { name: zone }, state, message }) as ZoneStatus;

test("a zone that is loaded ends the wait", async () => {
  let state: ZoneStatus["state"] = "loading";
  const { clock, ended } = waiting(() => [status(state, null)]);
  await clock.advance(500);
  state = "ready";
  await clock.advance(100);
  expect(await ended).toBeNull();
});

test.each([
  ["a zone that fails", [status("failed", "the server answers REFUSED")], /REFUSED/],
  ["no such zone", [], /opened no such zone/],
])("%s ends it after a while, with the reason", async (_, zones, reason) => {
  const { clock, ended } = waiting(() => zones);
  await clock.advance(PATIENCE_MS + 100);
  expect(await ended).toMatch(reason);
});

test("a stop ends it at once", async () => {
  const { stop, ended } = waiting(() => []);
  stop.abort();
  expect(await ended).toBeNull();
});
