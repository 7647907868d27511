import { describe, expect, test } from "vitest";
import { trustedDnsName } from "../../names/dns-name.ts";
import { emptyMessage } from "./compose.ts";
import { decodeMessage } from "./decode-message.ts";
import { encodeMessage, tryEncodeMessage } from "./encode-message.ts";
import type { Message, ResourceRecord } from "./message.ts";

const WWW = trustedDnsName("www.example.org");
const record = (more: Partial<ResourceRecord>): ResourceRecord => ({
  name: WWW,
  type: "A",
  class: "IN",
  ttlSeconds: 300,
  data: "192.0.2.1",
  ...more,
});
const with1 = (more: Partial<ResourceRecord>): Partial<Message> => ({
  answer: [record(more)],
});
const BROKEN = trustedDnsName("bad\\");

describe("a message that cannot be written is an error", () => {
  test.each<[string, Partial<Message>]>([
    ["an opcode without a number", { opcode: "NONSENSE" as Message["opcode"] }],
    ["an rcode that needs EDNS", { rcode: "BADVERS" as Message["rcode"] }],
    ["a question of no type", { question: [{ name: WWW, type: "NOTYPE", class: "IN" }] }],
    ["a question with a broken name", { question: [{ name: BROKEN, type: "A", class: "IN" }] }],
    ["a record of no type", with1({ type: "NOTYPE" })],
    ["a record with a broken name", with1({ name: BROKEN })],
    ["an address that is none", with1({ data: "192.0.2.999" })],
    ["an IPv6 address that is none", with1({ type: "AAAA", data: "2001:db8::x" })],
    ["a preference above 16 bits", with1({ type: "MX", data: "70000 mail.example.org" })],
    ["a preference that is no number", with1({ type: "MX", data: "x mail.example.org" })],
    ["a name too little", with1({ type: "MX", data: "10" })],
    ["an empty name", with1({ type: "MX", data: "10 " })],
    ["a text without its end", with1({ type: "TXT", data: '"open' })],
    ["unknown data with a wrong count", with1({ type: "TYPE999", data: "\\# 2 00" })],
  ])("%s", (_, more) => {
    const message = { ...emptyMessage(1), ...more };
    expect(tryEncodeMessage(message).ok).toBe(false);
    expect(() => encodeMessage(message)).toThrow();
  });
});

describe("hostile names", () => {
  /** A query whose question is these bytes. */
  const query = (...name: readonly number[]): Uint8Array =>
    Uint8Array.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...name, 0, 1, 0, 1]);
  const label = (length: number): readonly number[] => [
    length,
    ...Array<number>(length).fill(0x61),
  ];

  test.each<[string, Uint8Array]>([
    ["a name over 255 bytes", query(...Array.from({ length: 5 }, () => label(63)).flat(), 0)],
    ["a pointer forwards", query(0xc0, 0xff)],
    ["a pointer that is cut", Uint8Array.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0])],
    ["a reserved label type", query(0x80, 0)],
    ["a label that is cut", query(60, 0x61)],
  ])("%s is refused", (_, bytes) => {
    expect(decodeMessage(bytes).ok).toBe(false);
  });

  test("a pointer that would make a name too long is refused", () => {
    const long = [label(63), label(63), label(63), label(40)].flat();
    const header = [0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0];
    const second = [...label(63), 0xc0, 12];
    const bytes = Uint8Array.from([...header, ...long, 0, 0, 1, 0, 1, ...second, 0, 1, 0, 1]);
    expect(decodeMessage(bytes).ok).toBe(false);
  });

  test("an OPT that is not the root's is refused", () => {
    const opt = [1, 0x61, 0, 0, 41, 4, 0, 0, 0, 0, 0, 0, 0];
    const bytes = Uint8Array.from([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, ...opt]);
    expect(decodeMessage(bytes).ok).toBe(false);
  });
});
