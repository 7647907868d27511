import { describe, expect, test } from "vitest";
import { SeededRandom } from "../../../test/support/ports/test-ports.ts";
import { RealCrypto } from "../../app/ports/real-crypto.ts";
import { RealGzip } from "../../app/ports/real-gzip.ts";
import { MarkerCodec, type MarkerEncryption } from "./marker-codec.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const TEXT_KEY = bytes("12345678901234567890123456789012");
const HEX_KEY = Uint8Array.from(
  Buffer.from("294b5f46797c3f5a2e3634235575486d607d5b6421474325574a4d5f66737b5f", "hex"),
);

/** The vectors of external-dns's own tests (reference, external-dns §3.7): key, text, labels. */
const VECTORS: readonly [string, Uint8Array, string, Record<string, string>][] = [
  [
    "a short one",
    TEXT_KEY,
    "h8UQ6jelUFUsEIn7SbFktc2MYXPx/q8lySqI4VwfVtVaIbb2nkHWV/88KKbuLtu7fJNzMir8ELVeVnRSY01KdiIuj7ledqZe5ailEjQaU5Z6uEKd5pgs6sH8",
    { owner: "owner" },
  ],
  [
    "with a resource",
    HEX_KEY,
    "+lvP8q9KHJ6BS6O81i2Q6DLNdf2JSKy8j/gbZKviTZlGYj7q+yDoYMgkQ1hPn6urtGllM5bfFMcaaHto52otQtiOYrX8990J3kQqg4s47m3bH3Ejl8RSxSSuWJM3HJtPghQzYg0/LSOsdQ0=",
    { owner: "foo-owner", resource: "foo-resource" },
  ],
];
/** Read only: Go and zlib choose different codes for it. */
const GIBBERISH =
  "yi6vVATlgYN0enXBIupVK2atNUKtajofWMroWtvZjUanFZXlWvqjJPpjmMd91kv86bZj+syQEP0uR3TK6eFVV7oKFh/NxYyh238FjZ+25zlXW9TgbLoMalUNOkhKFdfXkLeeaqJjePB59t+kQBYX+ZEryK652asPs6M+xTIvtg07N7WWZ6SjJujm0RRISg==";

const PORTS = { cipher: new RealCrypto(), gzip: new RealGzip(), random: new SeededRandom(1) };
const codec = (key: Uint8Array, options: Partial<MarkerEncryption> = {}) =>
  new MarkerCodec({ key, write: true, ...PORTS, ...options });

/** A random source that gives the nonce of a text that somebody else made. */
const nonceOf = (base64: string) => ({
  ...PORTS.random,
  next: () => 0,
  uuid: () => "",
  bytes: (count: number) => Uint8Array.from(Buffer.from(base64, "base64").subarray(0, count)),
});

describe("encrypted markers", () => {
  test.each(VECTORS)("%s is read as external-dns wrote it", (_, key, base64, labels) => {
    const text = { labels, form: "encrypted" };
    expect(codec(key).read(`"${base64}"`)).toEqual(text);
    expect(codec(key, { write: false }).read(base64)).toEqual(text);
    // As the provider may hand it on, with the quotes that external-dns wraps around it.
    expect(codec(key).read(`"\\"${base64}\\""`)).toEqual(text);
  });

  test.each(VECTORS)("%s is written byte for byte", (_, key, base64, labels) => {
    expect(codec(key, { random: nonceOf(base64) }).write(labels)).toBe(`"${base64}"`);
  });

  test("the irregular one is read, with the keys that it adds", () => {
    expect(codec(HEX_KEY).read(`"${GIBBERISH}"`)).toEqual({
      labels: { owner: "bar-owner", resource: "bar-resource", "new-key": "bar-new-key" },
      form: "encrypted",
    });
  });

  test("a key that does not fit, none, and an altered text: unreadable, and never no marker", () => {
    const [, , base64] = VECTORS[0] ?? [];
    const altered = `x${base64?.slice(1)}`;
    expect(codec(HEX_KEY).read(`"${base64}"`)).toBe("unreadable");
    expect(new MarkerCodec(null).read(`"${base64}"`)).toBe("unreadable");
    expect(codec(TEXT_KEY).read(`"${altered}"`)).toBe("unreadable");
  });

  test("other people's texts are no markers", () => {
    for (const text of ["v=spf1 -all", "aGVsbG8=", "x".repeat(60), `${"x".repeat(90)}=`, ""])
      expect(codec(TEXT_KEY).read(`"${text}"`), text).toBeNull();
  });

  test("a key alone reads and writes plain, as external-dns has it", () => {
    const plainWriter = codec(TEXT_KEY, { write: false });
    expect(plainWriter.write({ owner: "me" })).toBe(
      '"heritage=external-dns,external-dns/owner=me"',
    );
    expect(plainWriter.read('"heritage=external-dns,external-dns/owner=me"')).toEqual({
      labels: { owner: "me" },
      form: "plain",
    });
    expect(new MarkerCodec(null).write({ owner: "me" }, "encrypted")).toBeNull();
    expect(codec(TEXT_KEY).write({ owner: "a,b" })).toBeNull();
  });

  test("a text that says nothing of external-dns is unreadable, though the key opens it", () => {
    const { cipher, gzip } = PORTS;
    const nonce = new Uint8Array(12);
    for (const packed of [
      gzip.pack(bytes([..."abcdefghijklmnopqrstuvwxyz0123456789"].join("-"))),
      bytes("no gzip ".repeat(10)),
    ]) {
      const sealed = cipher.seal(TEXT_KEY, nonce, packed);
      const text = Buffer.from([...nonce, ...sealed]).toString("base64");
      expect(codec(TEXT_KEY).read(`"${text}"`)).toBe("unreadable");
    }
  });
});
