/**
 * The values of service parameters (RFC 9460 §7, RFC 9461 §5): for each known key presentation ⇄
 * bytes of the wire. Each value is checked by itself here; svc-params checks the parameters
 * together.
 */

import { base64Text, byteAt } from "@zonekeeper/base/bytes";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { ipv4Bytes, ipv4Text, ipv6Bytes, ipv6Text } from "./addresses.ts";
import { base64Bytes, formatText } from "./tokens.ts";

/** What is known about one key. */
export interface SvcKey {
  readonly number: number;
  readonly name: string;
  /**
   * Bytes for the wire from the characters of the value (quotes and `\DDD` undone), or what would
   * be right.
   */
  parse(value: Uint8Array): Result<Uint8Array>;
  /**
   * Canonical text after `=`; null = the bytes are not a valid value, "" = the key is written
   * without `=`.
   */
  format(bytes: Uint8Array): string | null;
}

const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LATIN = new TextDecoder("latin1");

/**
 * Keys with a presentation form of their own; `mandatory` (0), which speaks of keys, is in
 * svc-params.
 */
export const SVC_KEYS: readonly SvcKey[] = [
  // `alpn="h2,h3"` (RFC 9460 §7.1.1): protocol names of 1 to 255 bytes; `,` and `\` in a name are
  // escaped once more.
  {
    number: 1,
    name: "alpn",
    parse: (value) => {
      const items = listItems(value);
      if (items === null || items.some((item) => item.length === 0 || item.length > 255))
        return fail("alpn takes protocol names of 1 to 255 bytes with commas between: alpn=h2,h3");
      return ok(Uint8Array.from(items.flatMap((item) => [item.length, ...item])));
    },
    format: (bytes) => {
      const items: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += 1 + byteAt(bytes, at)) {
        const length = byteAt(bytes, at);
        if (length === 0 || at + length >= bytes.length) return null;
        items.push(bytes.subarray(at + 1, at + 1 + length));
      }
      return items.length === 0 ? null : formatText(Uint8Array.from(joinItems(items)));
    },
  },
  // RFC 9460 §7.1.1: has no value.
  {
    number: 2,
    name: "no-default-alpn",
    parse: (value) => (value.length === 0 ? ok(value) : fail("no-default-alpn takes no value")),
    format: (bytes) => (bytes.length === 0 ? "" : null),
  },
  // RFC 9460 §7.2.
  {
    number: 3,
    name: "port",
    parse: (value) => {
      const text = LATIN.decode(value);
      const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
      return port <= 65_535
        ? ok(Uint8Array.of(port >> 8, port & 0xff))
        : fail("port takes a number from 0 to 65535");
    },
    format: (bytes) =>
      bytes.length === 2 ? String((byteAt(bytes, 0) << 8) | byteAt(bytes, 1)) : null,
  },
  // RFC 9460 §7.3.
  addresses(4, "ipv4hint", { bytes: 4, parse: ipv4Bytes, format: ipv4Text, example: "192.0.2.1" }),
  // RFC 9460 §7.3.
  addresses(6, "ipv6hint", {
    bytes: 16,
    parse: ipv6Bytes,
    format: ipv6Text,
    example: "2001:db8::1",
  }),
  // Encrypted ClientHello, base64 (RFC 9460 §14.3.2 reserves it; draft-ietf-tls-svcb-ech §3).
  {
    number: 5,
    name: "ech",
    parse: (value) => {
      const bytes = base64Bytes(LATIN.decode(value));
      return bytes === null ? fail("ech takes base64") : ok(bytes);
    },
    format: (bytes) => (bytes.length === 0 ? null : base64Text(bytes)),
  },
  // A relative URI template with the variable `dns` (RFC 9461 §5).
  {
    number: 7,
    name: "dohpath",
    parse: (value) =>
      isDohPath(value)
        ? ok(value)
        : fail('dohpath takes a path with the variable dns, such as "/dns-query{?dns}"'),
    format: (bytes) => (isDohPath(bytes) ? formatText(bytes) : null),
  },
];

interface AddressKind {
  readonly bytes: number;
  parse(text: string): Uint8Array | null;
  format(bytes: Uint8Array): string;
  readonly example: string;
}

function addresses(number: number, name: string, kind: AddressKind): SvcKey {
  return {
    number,
    name,
    parse: (value) => {
      const all = LATIN.decode(value).split(",").map(kind.parse);
      const known = all.filter((address) => address !== null);
      return known.length === all.length
        ? ok(Uint8Array.from(known.flatMap((address) => [...address])))
        : fail(`${name} takes addresses with commas between, such as ${kind.example}`);
    },
    format: (bytes) => {
      if (bytes.length === 0 || bytes.length % kind.bytes !== 0) return null;
      const texts: string[] = [];
      for (let at = 0; at < bytes.length; at += kind.bytes)
        texts.push(kind.format(bytes.subarray(at, at + kind.bytes)));
      return texts.join(",");
    },
  };
}

/**
 * The items of a comma list (RFC 9460 Appendix A.1), `\,` and `\\` undone; null = a stray
 * backslash.
 */
function listItems(value: Uint8Array): readonly (readonly number[])[] | null {
  let item: number[] = [];
  const items = [item];
  for (let index = 0; index < value.length; index += 1) {
    const byte = byteAt(value, index);
    if (byte === COMMA) {
      item = [];
      items.push(item);
    } else if (byte !== BACKSLASH) item.push(byte);
    else {
      index += 1;
      const escaped = value[index];
      if (escaped !== COMMA && escaped !== BACKSLASH) return null;
      item.push(escaped);
    }
  }
  return items;
}

function joinItems(items: readonly Uint8Array[]): readonly number[] {
  return items.flatMap((item, index) => {
    const bytes = [...item].flatMap((byte) =>
      byte === COMMA || byte === BACKSLASH ? [BACKSLASH, byte] : [byte],
    );
    return index === 0 ? bytes : [COMMA, ...bytes];
  });
}

function isDohPath(bytes: Uint8Array): boolean {
  const text = LATIN.decode(bytes);
  return text.startsWith("/") && /\{[+#./;?&]?(?:[^}]*,)?dns(?:[,:*][^}]*)?\}/.test(text);
}
