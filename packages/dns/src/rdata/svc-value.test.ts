import { expect, test } from "vitest";
import { SVC_KEYS } from "./svc-value.ts";

/** What the key with this name makes of bytes from the wire. */
function formatted(name: string, bytes: readonly number[]): string | null | undefined {
  return SVC_KEYS.find((key) => key.name === name)?.format(Uint8Array.from(bytes));
}

test.each([
  ["alpn", []],
  ["alpn", [0]],
  ["alpn", [5, 1]],
  ["no-default-alpn", [1]],
  ["port", [1]],
  ["ipv4hint", []],
  ["ipv4hint", [192, 0, 2]],
  ["ipv6hint", [0x20]],
  ["ech", []],
  ["dohpath", [0x78]],
])("%s of the bytes %j is no value", (name, bytes) => {
  expect(formatted(name, bytes)).toBeNull();
});

test("a comma and a backslash in a protocol name are escaped once more (RFC 9460 Appendix A.1)", () => {
  const alpn = SVC_KEYS.find(({ name }) => name === "alpn");
  const bytes = [3, 0x2c, 0x5c, 0x61, 1, 0x62];
  const text = formatted("alpn", bytes);
  expect(text).toBe('"\\\\,\\\\\\\\a,b"');
  // Behind quotes and `\\`, as the parser of words hands it over.
  const inner = Uint8Array.from("\\,\\\\a,b", (character) => character.charCodeAt(0));
  expect(alpn?.parse(inner)).toEqual({ ok: true, value: Uint8Array.from(bytes) });
});
