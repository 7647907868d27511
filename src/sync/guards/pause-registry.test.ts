import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { type GivenPauses, PAUSE_RETRY_MS, PAUSES_MAX, PauseRegistry } from "./pause-registry.ts";

const ORG = trustedDnsName("example.org");
const NET = trustedDnsName("example.net");

/** A place to keep state, which may be out of reach, and books on it: one for each process. */
class Fixture {
  readonly clock = new VirtualClock();
  readonly log = new MemoryLog();
  readonly values = new Map<string, string>();
  isDown = false;

  open(given: Partial<GivenPauses> = {}): PauseRegistry {
    const reach = (): void => {
      if (this.isDown)
        throw new OperationError({ code: "Unreachable", message: "gone", retry: "backoff" });
    };
    const state = {
      read: async (key: string) => {
        reach();
        return this.values.get(key) ?? null;
      },
      write: async (key: string, value: string) => {
        reach();
        this.values.set(key, value);
      },
    };
    const ports = { state, clock: this.clock, log: this.log };
    return new PauseRegistry({
      key: "pause/me",
      given: { all: false, zones: [], ...given },
      ...ports,
    });
  }
}

test("a zone is paused alone, everything with all of them", async () => {
  const registry = new Fixture().open();
  await registry.known();
  expect([registry.writeGate(ORG), registry.writeGate(null)]).toEqual([null, null]);
  await registry.pause(ORG);
  expect([registry.writeGate(ORG), registry.writeGate(NET)]).toEqual([
    expect.stringContaining("--zone"),
    null,
  ]);
  await registry.pause(null);
  expect(registry.writeGate(NET)).toContain("--all");
  expect(await registry.resume(null)).toBe(true);
  expect([registry.writeGate(ORG) === null, registry.writeGate(NET)]).toEqual([false, null]);
  expect(await registry.resume(ORG)).toBe(true);
  expect(await registry.resume(ORG)).toBe(false);
  expect(registry.status()).toEqual({ all: null, zones: [], names: [] });
});

test("what options pause is resumed for this run, and paused again at the next start", async () => {
  const fixture = new Fixture();
  const first = fixture.open({ all: true, zones: [ORG] });
  await first.known();
  expect(first.status()).toMatchObject({
    all: expect.stringContaining("--pause"),
    zones: [{ zone: ORG, reason: expect.stringContaining("--paused-zones") }],
  });
  expect([await first.resume(null), await first.resume(ORG)]).toEqual([true, true]);
  expect([first.writeGate(ORG), first.writeGate(null)]).toEqual([null, null]);
  expect(fixture.open({ all: true }).writeGate(ORG)).not.toBeNull();
});

describe("unknown is paused", () => {
  test("before the first reading, and while nothing can be read", async () => {
    const fixture = new Fixture();
    fixture.isDown = true;
    const registry = fixture.open();
    expect(registry.writeGate(ORG)).toContain("not known");
    await registry.known();
    expect(registry.writeGate(ORG)).toContain("gone");
    fixture.isDown = false;
    let calls = 0;
    registry.onChange(() => {
      calls += 1;
    });
    await fixture.clock.advance(PAUSE_RETRY_MS);
    expect([registry.writeGate(ORG), calls]).toEqual([null, 1]);
  });

  test.each(["", "{}", "[1]", '[["example.org"]]', "[[1,2]]"])(
    "what is stored is %s",
    async (text) => {
      const fixture = new Fixture();
      fixture.values.set("pause/me", text);
      const registry = fixture.open();
      await registry.known();
      expect(registry.writeGate(ORG)).toContain("not readable");
      registry.close();
      expect(fixture.clock.pendingTimers).toBe(0);
    },
  );
});

test("a pause that cannot be stored counts here all the same, and says so", async () => {
  const fixture = new Fixture();
  const registry = fixture.open();
  await registry.known();
  fixture.isDown = true;
  await expect(registry.pause(ORG)).rejects.toMatchObject({ code: "Unreachable" });
  expect(registry.writeGate(ORG)).not.toBeNull();
  await expect(registry.resume(ORG), "not lifted before it is stored").rejects.toThrow("gone");
  expect(registry.writeGate(ORG)).not.toBeNull();
  fixture.isDown = false;
  expect(await registry.resume(ORG)).toBe(true);
  expect(registry.writeGate(ORG)).toBeNull();
});

test("the next process, and what another one wrote meanwhile, is kept", async () => {
  const fixture = new Fixture();
  const [one, two] = [fixture.open(), fixture.open()];
  await one.known();
  await two.known();
  await one.pause(ORG);
  await two.pause(NET);
  const third = fixture.open();
  await third.known();
  expect(third.status().zones.map(({ zone }) => zone)).toEqual([NET, ORG]);
});

test("a name is paused by itself, over a restart, and its zone goes on", async () => {
  const fixture = new Fixture();
  const [www, api] = [trustedDnsName("www.example.org"), trustedDnsName("api.example.org")];
  const registry = fixture.open();
  await registry.pause(`name ${www}`, `name ${api}`);
  const next = fixture.open();
  await next.known();
  expect([next.writeGate(ORG), next.reasonAt(trustedDnsName("other.example.org"))]).toEqual([
    null,
    null,
  ]);
  expect(next.reasonAt(www)).toMatch(
    /^www\.example\.org is paused since .*; zonekeeper resume --name www\.example\.org ends it$/,
  );
  expect(next.status()).toMatchObject({
    all: null,
    zones: [],
    names: [{ name: api }, { name: www }],
  });
  expect(await next.resume(`name ${www}`)).toBe(true);
  expect([next.reasonAt(www), next.status().names.length]).toEqual([null, 1]);
});

test("it is bounded", async () => {
  const fixture = new Fixture();
  const rows = Array.from({ length: PAUSES_MAX }, (_, n) => [`z${n}.example.org`, 1]);
  fixture.values.set("pause/me", JSON.stringify(rows));
  await expect(fixture.open().pause(ORG)).rejects.toMatchObject({ code: "TooManyPauses" });
});

test("the log says who paused what, and what is paused at a start", async () => {
  const fixture = new Fixture();
  const logged = () =>
    fixture.log.lines.splice(0).map(({ message, fields }) => [message, ...Object.values(fields)]);
  const registry = fixture.open();
  await registry.known();
  expect(logged()).toEqual([]);
  await registry.pause(ORG);
  expect(logged()).toEqual([["paused by a person", ORG]]);
  await fixture.open({ all: true }).known();
  expect(logged()).toEqual([
    ["nothing is written", expect.stringMatching(/^all zones are paused by --pause/)],
    ["nothing is written", expect.stringMatching(/^zone example.org is paused since/)],
  ]);
  await registry.resume(ORG);
  expect(logged()).toEqual([["pause ended by a person", ORG]]);
});
