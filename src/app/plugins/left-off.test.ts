/** Notes of modules that looped, as the next start finds them. */
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/ports/temp-folder.ts";
import { moduleFile, noteOf, readNotes, writeNote } from "./left-off.ts";

const folder = makeTempFolder("left-off");
const notes = join(folder.path, "notes.json");
const WHAT = { call: "endpoints", at: "2026-01-01T00:00:00.000Z" };
afterAll(() => folder.remove());

function moduleOf(name: string, text: string) {
  const file = join(folder.path, name);
  writeFileSync(file, text);
  return moduleFile(`./${name}`, file);
}

test("a note is about one content of a module, private, and one for each module given", () => {
  expect(readNotes(notes)).toEqual({ ok: true, value: [] });
  const [a, b, c] = [moduleOf("a.mjs", "a"), moduleOf("b.mjs", "b"), moduleOf("c.mjs", "c")];
  for (const one of [c, a, b]) writeNote(notes, { ...one, ...WHAT }, [a, b, c]);
  const mended = moduleOf("a.mjs", "mended");
  writeNote(notes, { ...mended, ...WHAT }, [mended, b]);
  const read = readNotes(notes);
  if (!read.ok) throw new Error(read.error);
  expect(read.value).toEqual([
    { ...b, ...WHAT },
    { ...mended, ...WHAT },
  ]);
  expect(noteOf(mended, read.value)).toEqual({ ...mended, ...WHAT });
  expect(noteOf(a, read.value)).toBeNull();
  expect(noteOf({ ...mended, hash: "" }, read.value)).toBeNull();
  expect(statSync(notes).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path)).toEqual(["a.mjs", "b.mjs", "c.mjs", "notes.json"]);
});

test.each(["{", "{}", '[{"given":"./a.mjs"}]'])(
  "%s is no notes: it says what to remove",
  (text) => {
    writeFileSync(notes, text);
    const read = readNotes(notes);
    expect(read.ok ? "" : read.error).toMatch(/notes\.json cannot be .*emove it$/);
  },
);
