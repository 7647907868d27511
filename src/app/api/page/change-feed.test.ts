import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { nameOf } from "../../../../test/support/values/zone-text.ts";
import { NO_WORK, type Work } from "../../compose/instance.ts";
import { ChangeFeed, type OpenStream } from "./change-feed.ts";

const APEX = nameOf("@");
const OTHER = trustedDnsName("example.net");

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A work whose changes a test reports. */
function workOf(more: Partial<Work> = {}) {
  type Listener = Parameters<Work["onChange"]>[0];
  const listeners = new Set<Listener>();
  const onChange = (listener: Listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const take = (...labels: readonly string[]): void => {
    const taken = labels.map((label) => ({ name: nameOf(label), atMs: 0 }));
    for (const listener of listeners) listener(APEX, "id", [], taken as never);
  };
  const tell = (...labels: readonly string[]): void => {
    const names = labels.length === 0 ? "all" : new Set(labels.map(nameOf));
    for (const listener of listeners) listener(APEX, "id", names as never);
  };
  const work: Work = { ...NO_WORK, ...more, onChange: onChange as never };
  return { work, tell, take, listeners };
}

function opened(first = workOf()) {
  const instance = {
    work: first.work,
    standby: null as string | null,
    dryRun: null as string | null,
    standbyReply: (): string | null => instance.standby,
    dryRunText: (): string | null => instance.dryRun,
  };
  const feed = new ChangeFeed(instance);
  /** Collects the text that a reader gets; `takes` = its buffer has room. */
  const reader = (lastId: string | null = null) => {
    const got: string[] = [];
    const state = { takes: true, isAdmitted: true, isEnded: false };
    const stream = feed.open(lastId, {
      send: (text) => {
        got.push(text);
        return state.takes;
      },
      isLimited: false,
      isAdmitted: () => state.isAdmitted,
      end: () => {
        state.isEnded = true;
      },
    });
    return { got, state, stream: stream as OpenStream };
  };
  return { instance, feed, reader, ...first };
}

const eventsIn = (got: readonly string[]) =>
  got.map((text) => /event: (\w+)/.exec(text)?.[1] ?? "");
const idOf = (text = "") => /^id: (.*)$/m.exec(text)?.[1] ?? "";
const dataOf = (text = "") => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "null");

describe("events", () => {
  test("changes are gathered for a tenth of a second, and told once to all", () => {
    const { reader, tell } = opened();
    const [one, two] = [reader(), reader()];
    tell("a");
    tell("b");
    vi.advanceTimersByTime(99);
    expect(eventsIn(one.got)).toEqual(["", "hello"]);
    vi.advanceTimersByTime(1);
    expect(dataOf(one.got.at(-1))).toMatchObject({
      zones: [{ zone: APEX, names: [nameOf("a"), nameOf("b")], more: 0 }],
    });
    expect(two.got.at(-1)).toBe(one.got.at(-1));
  });

  test("what zones have taken comes with the next change, once, the newest first", () => {
    const { reader, tell, take, instance } = opened();
    const { got } = reader();
    const changes = () => {
      tell("a");
      vi.advanceTimersByTime(100);
      return dataOf(got.at(-1)).changes?.map(({ name }: { name: string }) => name);
    };
    take(...Array.from({ length: 11 }, (_, index) => `n${index}`));
    take("n11", "n12");
    const newest = Array.from({ length: 12 }, (_, at) => nameOf(`n${12 - at}`));
    expect(changes()).toEqual(newest);
    expect(changes()).toEqual([]);
    take(...Array.from({ length: 9 }, (_, index) => `${index}${"x.".repeat(9_000)}y`));
    expect(changes(), "so much is asked for").toBeUndefined();
    // Its zones are the leader's, who knows what they take.
    instance.dryRun = "standing by";
    expect(changes()).toBeUndefined();
  });

  test("many names are counted, a zone as a whole has none, and nothing is no event", () => {
    const { reader, tell, listeners } = opened();
    const { got } = reader();
    tell(...Array.from({ length: 60 }, (_, index) => `n${index}`));
    vi.advanceTimersByTime(100);
    expect(dataOf(got.at(-1)).zones).toEqual([
      {
        zone: APEX,
        names: expect.toSatisfy((names: readonly string[]) => names.length === 50),
        more: 10,
      },
    ]);
    tell("a");
    tell();
    for (const listener of listeners) listener(OTHER, "id", new Set());
    vi.advanceTimersByTime(100);
    expect(dataOf(got.at(-1)).zones).toEqual([{ zone: APEX, names: [], more: 0 }]);
    const count = got.length;
    for (const listener of listeners) listener(OTHER, "id", new Set());
    vi.advanceTimersByTime(200);
    expect(got).toHaveLength(count);
  });

  test("a reader that comes back gets what it missed; one that was away too long begins anew", () => {
    const { reader, tell } = opened();
    const first = reader();
    for (let index = 0; index < 3; index++) {
      tell(`n${index}`);
      vi.advanceTimersByTime(100);
    }
    const [, , one, two, three] = first.got;
    expect(reader(idOf(one)).got).toEqual([two, three]);
    expect(reader(idOf(three)).got).toEqual([]);
    expect(eventsIn(reader("elsewhere-1").got)).toEqual(["reset"]);
    expect(eventsIn(reader(`${idOf(one).split("-")[0]}-99`).got)).toEqual(["reset"]);
    for (let index = 0; index < 600; index++) {
      tell(`n${index}`);
      vi.advanceTimersByTime(100);
    }
    expect(eventsIn(reader(idOf(three)).got)).toEqual(["reset"]);
    expect(eventsIn(reader("nonsense").got)).toEqual(["reset"]);
  });

  test("nothing is kept for a slow reader: it is told to read everything again", () => {
    const { reader, tell } = opened();
    const { got, state, stream } = reader();
    state.takes = false;
    tell("a");
    vi.advanceTimersByTime(100);
    const count = got.length;
    tell("b");
    vi.advanceTimersByTime(100);
    expect(got).toHaveLength(count);
    state.takes = true;
    stream.caughtUp();
    stream.caughtUp();
    expect(eventsIn(got.slice(count))).toEqual(["reset"]);
    tell("c");
    vi.advanceTimersByTime(100);
    expect(eventsIn(got.slice(count))).toEqual(["reset", "changed"]);
  });
});

describe("streams", () => {
  test("of who takes nothing for a minute end", () => {
    const { reader } = opened();
    const { state } = reader();
    state.takes = false;
    vi.advanceTimersByTime(15_000);
    vi.advanceTimersByTime(60_000);
    expect(state.isEnded).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(state.isEnded).toBe(true);
  });

  test("end with the term, and with the session; a beat shows that they live", () => {
    const { reader, instance } = opened();
    const [one, two] = [reader(), reader()];
    vi.advanceTimersByTime(15_000);
    expect(one.got.at(-1)).toBe(": beat\n\n");
    one.state.isAdmitted = false;
    vi.advanceTimersByTime(1_000);
    expect([one.state.isEnded, two.state.isEnded]).toEqual([true, false]);
    instance.standby = "this instance does not lead";
    vi.advanceTimersByTime(1_000);
    expect(two.state.isEnded).toBe(true);
    expect(vi.getTimerCount(), "nobody reads").toBe(0);
  });

  test("another work begins anew, and the former one is not listened to", () => {
    const former = workOf();
    const next = workOf();
    const { reader, instance } = opened(former);
    const { got } = reader();
    const id = idOf(got[1]);
    instance.work = next.work;
    vi.advanceTimersByTime(1_000);
    expect(eventsIn(got).at(-1)).toBe("reset");
    expect([former.listeners.size, next.listeners.size]).toEqual([0, 1]);
    expect(eventsIn(reader(id).got)).toEqual(["reset"]);
  });

  test("are bounded, and all end with the listener", () => {
    const { reader, feed, tell, listeners } = opened();
    const all = Array.from({ length: 64 }, () => reader());
    expect(reader().stream).toBeNull();
    all[0]?.stream.close();
    const last = reader();
    expect(last.stream).not.toBeNull();
    tell("a");
    feed.close();
    expect([last.state.isEnded, listeners.size, vi.getTimerCount()]).toEqual([true, 0, 0]);
  });

  test("a pause is a change of every zone", () => {
    let paused: () => void = () => undefined;
    const onChange = (listener: () => void) => {
      paused = listener;
      return () => undefined;
    };
    const pauses = { onChange };
    const zones = () => [{ zone: { name: APEX } }, { zone: { name: OTHER } }];
    const { reader } = opened(workOf({ pauses, zones } as never));
    const { got } = reader();
    paused();
    vi.advanceTimersByTime(100);
    expect(dataOf(got.at(-1)).zones.map(({ zone }: { zone: string }) => zone)).toEqual([
      APEX,
      OTHER,
    ]);
  });
});

describe("answers", () => {
  test("are reckoned once for all who ask the same, until something changes or a second is over", async () => {
    const { feed, tell } = opened();
    let made = 0;
    const asked = (question = "zones") => feed.answer(question, async () => (made += 1));
    expect(await Promise.all([asked(), asked(), asked()])).toEqual([1, 1, 1]);
    expect(await asked("names")).toBe(2);
    tell("a");
    expect(await asked()).toBe(3);
    vi.advanceTimersByTime(1_001);
    expect(await asked()).toBe(4);
  });

  test("that failed are not kept", async () => {
    const { feed } = opened();
    const broken = () => feed.answer("q", () => Promise.reject(new Error("broken")));
    await expect(broken()).rejects.toThrow("broken");
    expect(await feed.answer("q", async () => 1)).toBe(1);
  });
});
