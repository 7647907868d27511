/** `Retry-After` (RFC 9110 §10.2.3) as servers and whoever is between write it. */
import { expect, test } from "vitest";
import { retryAfterMs } from "./failed-calls.ts";

const DATE = "Thu, 01 Jan 2026 00:00:00 GMT";

test.each<[string, string | undefined, string | undefined, number | null]>([
  ["none", undefined, DATE, null],
  ["seconds", "7", undefined, 7000],
  ["an hour at most", "3601", undefined, 3_600_000],
  ["a number without end", "9".repeat(400), undefined, 3_600_000],
  ["nothing to wait for", "0", undefined, null],
  ["no digits", "-7", undefined, null],
  ["other notations of numbers", "1e9", undefined, null],
  ["hexadecimal", "0x10", undefined, null],
  ["a date, by the server's own clock", "Thu, 01 Jan 2026 00:00:30 GMT", DATE, 30_000],
  ["a date of RFC 850", "Thursday, 01-Jan-26 00:00:30 GMT", DATE, 30_000],
  ["a date that is past", "Wed, 31 Dec 2025 23:59:59 GMT", DATE, null],
  ["a date far away", "Fri, 01 Jan 2027 00:00:00 GMT", DATE, 3_600_000],
  ["a date, and no clock to compare it with", "Thu, 01 Jan 2026 00:00:30 GMT", undefined, null],
  ["no date", "soon GMT", DATE, null],
])("%s", (_what, after, date, expected) => {
  expect(retryAfterMs({ "retry-after": after, date })).toBe(expected);
});
