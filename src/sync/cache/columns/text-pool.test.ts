import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NONE, TextPool } from "./text-pool.ts";

describe("a pool of texts", () => {
  test.each([
    "",
    "www.example.org",
    "caf\u00e9",
    "\u{1f680}",
    "\ud800",
    "\ufffd",
    "x".repeat(2 ** 20 + 1),
  ])("gives back text %#", (text) => {
    const pool = new TextPool();
    const other = pool.intern("other");
    const id = pool.intern(text);
    expect([pool.textOf(id), pool.find(text), pool.textOf(other)]).toEqual([text, id, "other"]);
  });

  test("keeps apart what UTF-8 would make equal", () => {
    const pool = new TextPool();
    expect(pool.intern("\ud800")).not.toBe(pool.intern("\ufffd"));
  });

  test("forgets a text when it was released as often as it was counted", () => {
    const pool = new TextPool();
    const id = pool.intern("www");
    pool.keep(id);
    pool.release(id);
    expect(pool.find("www")).toBe(id);
    pool.release(id);
    expect([pool.find("www"), pool.live]).toEqual([NONE, 0]);
    expect(() => pool.release(id)).toThrow("released as often");
  });

  test("uses freed ids again and moves what lives together", () => {
    const pool = new TextPool();
    const stays = pool.intern("stays");
    for (let round = 0; round < 300; round++)
      pool.release(pool.intern(String(round).repeat(10_000)));
    expect(pool.textOf(stays)).toBe("stays");
    expect(pool.idsEnd).toBe(2);
    expect(pool.bytes).toBeLessThan(5 * 2 ** 20);
  });

  test("agrees with a Map over any history", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 3 }),
      fc.constantFrom("a".repeat(300_000), "b".repeat(500_000)),
    );
    const steps = fc.array(fc.record({ adds: fc.boolean(), text }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (history) => {
        const pool = new TextPool();
        const counts = new Map<string, number>();
        for (const { adds, text: one } of history) {
          const count = counts.get(one) ?? 0;
          if (adds) pool.intern(one);
          else if (count > 0) pool.release(pool.find(one));
          counts.set(one, Math.max(0, count + (adds ? 1 : -1)));
        }
        for (const [one, count] of counts) {
          const id = pool.find(one);
          expect(id === NONE).toBe(count === 0);
          if (id !== NONE) expect(pool.textOf(id)).toBe(one);
        }
        expect(pool.live).toBe([...counts.values()].filter((count) => count > 0).length);
      }),
    );
  });
});
