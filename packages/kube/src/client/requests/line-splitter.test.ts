/** Lines come out whole, however the bytes were cut. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

test("any cutting gives the same lines", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ unit: "grapheme" }).map((s) => s.replaceAll("\n", " ")),
        { maxLength: 20 },
      ),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      (lines, cuts) => {
        const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
        const splitter = new LineSplitter();
        const got: string[] = [];
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const length = cuts[i % cuts.length] ?? 1;
          got.push(...splitter.push(bytes.subarray(at, at + length)));
          at += length;
        }
        // A BOM at the start of a line is not text; API servers send none.
        expect(got).toEqual(lines.map((line) => line.replace(/^\uFEFF/, "")));
        expect(splitter.pendingBytes).toBe(0);
      },
    ),
  );
});

test("a rest is kept as a copy: the chunk's memory may be used again", () => {
  const splitter = new LineSplitter();
  const chunk = new TextEncoder().encode("ab");
  expect([...splitter.push(chunk)]).toEqual([]);
  chunk.fill(0x78);
  expect([...splitter.push(new TextEncoder().encode("c\n"))]).toEqual(["abc"]);
});

test("a line that is too long is an error", () => {
  const splitter = new LineSplitter(4);
  expect([...splitter.push(new TextEncoder().encode("1234\n"))]).toEqual(["1234"]);
  expect(() => [...splitter.push(new TextEncoder().encode("12345"))]).toThrow(/longer than 4/);
});
