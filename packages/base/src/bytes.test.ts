import { expect, test } from "vitest";
import { base64Text, byteAt, fromBase64, hexText } from "./bytes.ts";

test("bytes and texts, there and back, however many", () => {
  const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index % 256);
  const back = fromBase64(base64Text(bytes));
  expect([back.length, back.every((byte, index) => byte === bytes[index])]).toEqual([
    200_000,
    true,
  ]);
  expect(base64Text("ü")).toBe("w7w=");
  expect(hexText(Uint8Array.of(0, 10, 255))).toBe("000aff");
  expect(() => fromBase64("%")).toThrow();
});

test("beyond the end there are zeros", () => {
  expect([byteAt(Uint8Array.of(7), 0), byteAt([7], 1), byteAt([7], -1)]).toEqual([7, 0, 0]);
});
