import { describe, expect, test } from "vitest";
import { parseRdata } from "./index.ts";

const SHA1 = "dd465c09cfa51fb45020cc83316fff21b9ec74ac";
const SHA256 = "d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971";

/** RFC 9460 §2.1, Appendix A and D; RFC 9461 §5. */
const SERVICE_BINDINGS: readonly (readonly [string, string])[] = [
  ["0 foo.example.com.", "0 foo.example.com"],
  ["1 .", "1 ."],
  ["16 foo.example.com. port=53", "16 foo.example.com port=53"],
  ["1 Foo.Example.", "1 Foo.Example"],
  ["1 foo.example.com. key667=hello", '1 foo.example.com key667="hello"'],
  ['1 foo.example.com. key667="hello\\210qoo"', '1 foo.example.com key667="hello\\210qoo"'],
  ["1 . key65000", "1 . key65000"],
  ['1 . key65000=""', "1 . key65000"],
  ["1 . alpn=h2,h3", '1 . alpn="h2,h3"'],
  ["1 . ALPN=h2", '1 . alpn="h2"'],
  [
    '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
    '16 foo.example.org alpn="f\\\\\\\\oo\\\\,bar,h2"',
  ],
  [
    "16 foo.example.org. alpn=f\\\\\\092oo\\092,bar,h2",
    '16 foo.example.org alpn="f\\\\\\\\oo\\\\,bar,h2"',
  ],
  ['1 . key1="\\002h2"', '1 . alpn="h2"'],
  ["1 . key3=\\001\\187", "1 . port=443"],
  ["1 . key2 key1=\\002h2", '1 . alpn="h2" no-default-alpn'],
  [
    "16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1",
    '16 foo.example.org mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1',
  ],
  [
    '1 foo.example.com. ipv6hint="2001:DB8::1,2001:db8::53:1"',
    "1 foo.example.com ipv6hint=2001:db8::1,2001:db8::53:1",
  ],
  ["1 . ech=AEP+DQA=", "1 . ech=AEP+DQA="],
  ["1 . dohpath=/dns-query{?dns}", '1 . dohpath="/dns-query{?dns}"'],
  ["1 . ohttp", "1 . key8"],
  ["1 . mandatory=key7 dohpath=/{?dns}", '1 . mandatory=dohpath dohpath="/{?dns}"'],
];

describe("the newer types have one text each", () => {
  test.each([
    ["CAA", "0 issue ca.example", '0 issue "ca.example"'],
    ["CAA", '128  Issue "a;b c"', '128 Issue "a;b c"'],
    ["CAA", '0 issue ""', '0 issue ""'],
    ["CAA", `0 iodef "${"x".repeat(300)}"`, `0 iodef "${"x".repeat(300)}"`],
    [
      "NAPTR",
      '100 10 S SIP+D2U "" _SIP._udp.Example.',
      '100 10 "S" "SIP+D2U" "" _sip._udp.example',
    ],
    [
      "NAPTR",
      '100 50 "u" "E2U+sip" "!^.*$!sip:info@example.org!i" .',
      '100 50 "u" "E2U+sip" "!^.*$!sip:info@example.org!i" .',
    ],
    ["NAPTR", '1 1 "u" "s" "/(a\\\\/)/b\\\\1/" .', '1 1 "u" "s" "/(a\\\\/)/b\\\\1/" .'],
    ["TLSA", `3 1 1 ${SHA256.toUpperCase()}`, `3 1 1 ${SHA256}`],
    ["TLSA", `3 1 1 ${SHA256.slice(0, 31)} ${SHA256.slice(31)}`, `3 1 1 ${SHA256}`],
    ["TLSA", "0 0 0 AB", "0 0 0 ab"],
    ["SSHFP", `1 1 ${SHA1}`, `1 1 ${SHA1}`],
    ["SSHFP", `4 2 ${SHA256.toUpperCase()}`, `4 2 ${SHA256}`],
    ["DS", `60485 RSASHA1 1 ${SHA1}`, `60485 5 1 ${SHA1}`],
    ["DS", `60485 13 2 ${SHA256}`, `60485 13 2 ${SHA256}`],
    ["DNSKEY", "256 3 ed25519 AQ PSKm ynfz W4kyB v015MAB==", "256 3 15 AQPSKmynfzW4kyBv015MAA=="],
    ["DNSKEY", "257 3 13 AQPSKmynfzW4kyBv015M", "257 3 13 AQPSKmynfzW4kyBv015M"],
    ["URI", "10 1 https://example.org/", '10 1 "https://example.org/"'],
    ["URI", '10 1 "a\\"b"', '10 1 "a\\"b"'],
    ["DNAME", "Foo.Example.", "foo.example"],
    ...SERVICE_BINDINGS.map(([text, canonical]): [string, string, string] => [
      "SVCB",
      text,
      canonical,
    ]),
    ["HTTPS", "1 . alpn=h3 port=8443", '1 . alpn="h3" port=8443'],
  ])("%s %s", (type, text, canonical) => {
    expect(parseRdata(type, text)).toEqual({ ok: true, value: canonical });
    expect(parseRdata(type, canonical)).toEqual({ ok: true, value: canonical });
  });
});

describe("what is impossible is refused with the field and what would be right", () => {
  test.each([
    ["CAA", "0 issue", "write 3: flags tag"],
    ["CAA", '256 issue "x"', "the flags must be"],
    ["CAA", '0 is-sue "x"', "the tag must hold letters"],
    ["CAA", '0 issue "x', "add the missing quote"],
    ["NAPTR", '1 2 "u" "s" ""', "write 6"],
    ["NAPTR", '1 2 "u-" "s" "" .', "the flags may hold only"],
    ["NAPTR", '1 2 "u" "s" "!a!b!" foo.', "the replacement must be ."],
    ["NAPTR", '1 2 "u" "s" "!a!b" .', "<delimiter>"],
    ["NAPTR", '1 2 "u" "s" "!a!\\\\1!" .', "<delimiter>"],
    ["NAPTR", '1 2 "u" "s" "!a!b!x" .', "<delimiter>"],
    ["NAPTR", '1 2 "u" "s" "!!b!" .', "<delimiter>"],
    ["NAPTR", '1 2 "u" "s" "1a1b1" .', "<delimiter>"],
    ["NAPTR", '1 2 "u" "s" "!a\\000!b!" .', "<delimiter>"],
    ["NAPTR", '1 x "u" "s" "" .', "the preference"],
    ["NAPTR", `1 2 "u" "s" "" ${"x".repeat(64)}.`, "63"],
    ["NAPTR", `1 2 "u" "${"s".repeat(256)}" "" .`, "the services"],
    ["TLSA", "3 1 1", "usage selector"],
    ["TLSA", "3 1 1 abcd", "the digest has 2 bytes"],
    ["TLSA", "3 1 0 abc", "even number of hex digits"],
    ["TLSA", "3 256 0 ab", "the selector must be"],
    ["SSHFP", `1 2 ${SHA1}`, "the digest has 20 bytes"],
    ["DS", `1 FOO 1 ${SHA1}`, '"FOO" is no algorithm'],
    ["DS", `70000 8 1 ${SHA1}`, "the key tag"],
    ["DS", "1 8 2 abcd", "64 hex digits"],
    ["DNSKEY", "256 4 8 AAAA", "the protocol must be 3"],
    ["DNSKEY", "256 3 8 AAA", "base64"],
    ["DNSKEY", "256 3 8", "public-key"],
    ["URI", '10 1 ""', "the target is empty"],
    ["URI", "10 1", "write 3"],
    ["DNAME", "a..b", "empty label"],
    ["SVCB", "1", "priority, target"],
    ["SVCB", "x .", "the priority"],
    ["SVCB", "1 a..b", "empty label"],
    ["SVCB", "0 foo.example. alpn=h2", "priority 0 is an alias"],
    ["SVCB", "1 . foo=bar", '"foo" is no service parameter'],
    ["SVCB", "1 . key65535=x", "no service parameter"],
    ["SVCB", "1 . key01=x", "no service parameter"],
    ["SVCB", "1 . alpn=h2 key1=\\002h3", "alpn stands twice"],
    ["SVCB", "1 . no-default-alpn", "needs alpn"],
    ["SVCB", "1 . no-default-alpn=x alpn=h2", "takes no value"],
    ["SVCB", "1 . mandatory=port", "mandatory names port"],
    ["SVCB", "1 . mandatory=mandatory", "mandatory takes other keys"],
    ["SVCB", "1 . mandatory=alpn,alpn alpn=h2", "each once"],
    ["SVCB", "1 . key0=\\000\\003\\000\\001 alpn=h2 port=1", "no value of mandatory"],
    ["SVCB", "1 . alpn=", "alpn takes"],
    ["SVCB", "1 . alpn=h2,,h3", "alpn takes"],
    ["SVCB", "1 . port=65536", "port takes"],
    ["SVCB", "1 . key3=a", "no value of port"],
    ["SVCB", "1 . ipv4hint=192.0.2.1,", "ipv4hint takes"],
    ["SVCB", "1 . ipv6hint=192.0.2.1", "ipv6hint takes"],
    ["SVCB", "1 . ech=!", "ech takes base64"],
    ["SVCB", "1 . dohpath=/dns-query", "variable dns"],
    ["HTTPS", '1 . alpn="h2', "add the missing quote"],
  ])("%s %s", (type, text, reason) => {
    const result = parseRdata(type, text);
    expect(result.ok ? result.value : result.error).toContain(reason);
    expect(result.ok).toBe(false);
  });
});
