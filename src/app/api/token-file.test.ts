import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/ports/temp-folder.ts";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { TokenFile } from "./token-file.ts";

const folder = makeTempFolder("token-file");
afterAll(() => folder.remove());
const path = join(folder.path, "token");
const GOOD = "0123456789abcdef";

test("a token that comes later, is changed or is taken away is noticed at once, and told once", () => {
  const log = new MemoryLog();
  const file = new TokenFile(path, log);
  for (let times = 0; times < 3; times++) expect(file.read().ok).toBe(false);
  writeFileSync(path, `${GOOD}\n`);
  expect(file.read()).toEqual({ ok: true, value: GOOD });
  expect(file.checks()).toMatchObject([{ name: "api token", ok: true, message: "" }]);
  writeFileSync(path, `${GOOD}2`);
  expect(file.read()).toEqual({ ok: true, value: `${GOOD}2` });
  rmSync(path);
  expect(file.checks()).toMatchObject([{ ok: false, readyAnyway: true }]);
  expect(log.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
    "warn API has no token",
    "info API has its token",
    "info API has another token",
    "warn API has no token",
  ]);
  expect(JSON.stringify(log.lines)).not.toContain(GOOD);
});

test.each([
  ["empty", "\n", /is empty/],
  ["too short", "0123456789abcde", /has 15 characters, fewer than 16/],
  ["two words", "0123456789 abcdef", /blanks/],
  ["not ASCII", "0123456789abcdéf", /not ASCII/],
])(
  "a token that is %s is none, and the message has the remedy and not the token",
  (_, text, why) => {
    writeFileSync(path, text);
    const read = new TokenFile(path, new MemoryLog()).read();
    expect(read.ok).toBe(false);
    const message = read.ok ? "" : read.error;
    expect(message).toMatch(why);
    expect(message).toContain("kubectl create secret generic");
    if (text.trim() !== "") expect(message).not.toContain(text.trim());
  },
);
