import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { spinning } from "./spinner.ts";

const slow = (ms: number) => () => new Promise<string>((done) => setTimeout(() => done("x"), ms));

beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

async function shown(isTTY: boolean, ms: number): Promise<readonly string[]> {
  const lines: string[] = [];
  const output = { isTTY, write: (text: string) => void lines.push(text) };
  const spun = spinning("waiting", output, slow(ms));
  await vi.advanceTimersByTimeAsync(ms);
  expect(await spun).toBe("x");
  return lines;
}

test("turns on a terminal where work is long, and leaves nothing behind", async () => {
  const lines = await shown(true, 1_100);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines[0]).toMatch(/[|/\\-] waiting \d s$/);
  expect(lines.at(-1)).toBe("\r\u001b[K");
});

test("shows nothing in a pipe, nor where work is quick", async () => {
  expect(await shown(false, 1_100)).toEqual([]);
  expect(await shown(true, 10)).toEqual([]);
});

test("a failure passes, and the line is cleared", async () => {
  const lines: string[] = [];
  const output = { isTTY: true, write: (text: string) => void lines.push(text) };
  const failing = async () => {
    await slow(1_000)();
    throw new Error("no");
  };
  const failed = expect(spinning("waiting", output, failing)).rejects.toThrow("no");
  await vi.advanceTimersByTimeAsync(1_000);
  await failed;
  expect(lines.at(-1)).toBe("\r\u001b[K");
});
