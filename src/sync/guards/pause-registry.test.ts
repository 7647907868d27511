import { describe, expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { trustedDnsName } from "../../model/dns-name.ts";
import { OperationError } from "../../model/operation-error.ts";
import {
  type GivenPauses,
  PAUSE_RETRY_MS,
  PAUSED_ZONES_MAX,
  PauseRegistry,
} from "./pause-registry.ts";

const ORG = trustedDnsName("example.org");
const NET = trustedDnsName("example.net");

/** A place to keep state, which may be out of reach, and books on it: one for each process. */
class World {
  readonly clock = new VirtualClock();
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
    const ports = { state, clock: this.clock, log: new MemoryLog() };
    return new PauseRegistry({
      key: "pause/me",
      given: { all: false, zones: [], ...given },
      ...ports,
    });
  }
}

test("a zone is paused alone, everything with all of them", async () => {
  const book = new World().open();
  await book.known();
  expect([book.writeGate(ORG), book.writeGate(null)]).toEqual([null, null]);
  await book.pause(ORG);
  expect([book.writeGate(ORG), book.writeGate(NET)]).toEqual([
    expect.stringContaining("--zone"),
    null,
  ]);
  await book.pause(null);
  expect(book.writeGate(NET)).toContain("--all");
  expect(await book.resume(null)).toBe(true);
  expect([book.writeGate(ORG) === null, book.writeGate(NET)]).toEqual([false, null]);
  expect(await book.resume(ORG)).toBe(true);
  expect(await book.resume(ORG)).toBe(false);
  expect(book.status()).toEqual({ all: null, zones: [] });
});

test("what options pause is resumed for this run, and paused again at the next start", async () => {
  const world = new World();
  const first = world.open({ all: true, zones: [ORG] });
  await first.known();
  expect(first.status()).toMatchObject({
    all: expect.stringContaining("--pause"),
    zones: [{ zone: ORG, reason: expect.stringContaining("--paused-zones") }],
  });
  expect([await first.resume(null), await first.resume(ORG)]).toEqual([true, true]);
  expect([first.writeGate(ORG), first.writeGate(null)]).toEqual([null, null]);
  expect(world.open({ all: true }).writeGate(ORG)).not.toBeNull();
});

describe("unknown is paused", () => {
  test("before the first reading, and while nothing can be read", async () => {
    const world = new World();
    world.isDown = true;
    const book = world.open();
    expect(book.writeGate(ORG)).toContain("not known");
    await book.known();
    expect(book.writeGate(ORG)).toContain("gone");
    world.isDown = false;
    let told = 0;
    book.onChange(() => {
      told += 1;
    });
    await world.clock.advance(PAUSE_RETRY_MS);
    expect([book.writeGate(ORG), told]).toEqual([null, 1]);
  });

  test.each(["", "{}", "[1]", '[["example.org"]]', "[[1,2]]"])(
    "what is stored is %s",
    async (text) => {
      const world = new World();
      world.values.set("pause/me", text);
      const book = world.open();
      await book.known();
      expect(book.writeGate(ORG)).toContain("not readable");
      book.close();
      expect(world.clock.pendingTimers).toBe(0);
    },
  );
});

test("a pause that cannot be stored counts here all the same, and says so", async () => {
  const world = new World();
  const book = world.open();
  await book.known();
  world.isDown = true;
  await expect(book.pause(ORG)).rejects.toMatchObject({ code: "Unreachable" });
  expect(book.writeGate(ORG)).not.toBeNull();
  await expect(book.resume(ORG), "not lifted before it is stored").rejects.toThrow("gone");
  expect(book.writeGate(ORG)).not.toBeNull();
  world.isDown = false;
  expect(await book.resume(ORG)).toBe(true);
  expect(book.writeGate(ORG)).toBeNull();
});

test("the next process, and what another one wrote meanwhile, is kept", async () => {
  const world = new World();
  const [one, two] = [world.open(), world.open()];
  await one.known();
  await two.known();
  await one.pause(ORG);
  await two.pause(NET);
  const third = world.open();
  await third.known();
  expect(third.status().zones.map(({ zone }) => zone)).toEqual([NET, ORG]);
});

test("it is bounded", async () => {
  const world = new World();
  const rows = Array.from({ length: PAUSED_ZONES_MAX }, (_, n) => [`z${n}.example.org`, 1]);
  world.values.set("pause/me", JSON.stringify(rows));
  await expect(world.open().pause(ORG)).rejects.toMatchObject({ code: "TooManyPauses" });
});
