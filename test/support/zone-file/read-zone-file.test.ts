import { fail, ok } from "@zonekeeper/base/result";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { readZoneFile, type ZoneFileSource } from "./read-zone-file.ts";
import { DEFAULT_ZONE_FILE_LIMITS } from "./zone-file-limits.ts";

const SOURCE: ZoneFileSource = {
  file: "example.zone",
  text: "",
  zone: trustedDnsName("example.org"),
  ttlSeconds: 300,
  include: null,
};

function read(text: string, more: Partial<ZoneFileSource> = {}) {
  const { records, problems } = readZoneFile({ ...SOURCE, text, ...more });
  return {
    records: records.map(
      ({ name, ttlSeconds, type, data }) => `${name} ${ttlSeconds} ${type} ${data}`,
    ),
    problems: problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
  };
}

describe("what RFC 1035 §5.1 allows", () => {
  test.each([
    ["a plain line", "www 60 IN A 192.0.2.1", "www.example.org 60 A 192.0.2.1"],
    ["class before TTL", "www IN 60 A 192.0.2.1", "www.example.org 60 A 192.0.2.1"],
    ["neither class nor TTL", "www A 192.0.2.1", "www.example.org 300 A 192.0.2.1"],
    ["lower case", "WWW in a 192.0.2.1", "www.example.org 300 A 192.0.2.1"],
    ["the apex", "@ A 192.0.2.1", "example.org 300 A 192.0.2.1"],
    ["an absolute name", "www.example.org. A 192.0.2.1", "www.example.org 300 A 192.0.2.1"],
    ["a wildcard", "*.w A 192.0.2.1", "*.w.example.org 300 A 192.0.2.1"],
    ["an escaped dot", "a\\.b A 192.0.2.1", "a\\.b.example.org 300 A 192.0.2.1"],
    ["an escaped dot at the end", "a\\. A 192.0.2.1", "a\\..example.org 300 A 192.0.2.1"],
    ["an escape by number", "\\097 A 192.0.2.1", "a.example.org 300 A 192.0.2.1"],
    ["a name like a type", "mx MX 1 a", "mx.example.org 300 MX 1 a.example.org"],
    ["a name like a class", "in IN A 192.0.2.1", "in.example.org 300 A 192.0.2.1"],
    ["a name like a number", "10 PTR a", "10.example.org 300 PTR a.example.org"],
    ["units", "www 1h30m A 192.0.2.1", "www.example.org 5400 A 192.0.2.1"],
    ["a comment", "www A 192.0.2.1 ; here", "www.example.org 300 A 192.0.2.1"],
    ["a semicolon in quotes", 't TXT "a;b" c', 't.example.org 300 TXT "a;b" "c"'],
    ["an escaped semicolon", "t TXT a\\;b", 't.example.org 300 TXT "a;b"'],
    ["strings without space", 't TXT "a""b"', 't.example.org 300 TXT "a" "b"'],
    ["a parenthesis in quotes", 't TXT "(a"', 't.example.org 300 TXT "(a"'],
    ["DOS line ends", "www A 192.0.2.1\r\n", "www.example.org 300 A 192.0.2.1"],
    ["tabs", "www\tA\t192.0.2.1", "www.example.org 300 A 192.0.2.1"],
    ["@ in rdata", "w CNAME @", "w.example.org 300 CNAME example.org"],
    ["the root in rdata", "@ MX 0 .", "example.org 300 MX 0 ."],
    ["a relative name in the middle", "s SRV 1 2 3 t", "s.example.org 300 SRV 1 2 3 t.example.org"],
    ["the case of an SVCB target", "s SVCB 1 Foo", "s.example.org 300 SVCB 1 Foo.example.org"],
    ["quotes inside a word", 's HTTPS 1 . alpn="h2"', 's.example.org 300 HTTPS 1 . alpn="h2"'],
    ["generic data", "x TYPE65280 \\# 2 abcd", "x.example.org 300 TYPE65280 \\# 2 abcd"],
    ["generic data of a known type", "x A \\# 4 c0000201", "x.example.org 300 A 192.0.2.1"],
    ["a type by number", "x TYPE1 \\# 4 C0 00 02 01", "x.example.org 300 A 192.0.2.1"],
    ["a type by number with text", "x TYPE1 192.0.2.1", "x.example.org 300 A 192.0.2.1"],
    ["hex in pieces", "x SSHFP 1 9 ( ab\n cd )", "x.example.org 300 SSHFP 1 9 abcd"],
  ])("%s", (_title, text, record) => {
    expect(read(text)).toEqual({ records: [record], problems: [] });
  });

  test("an SOA over several lines with units and comments", () => {
    const text = `
$ORIGIN example.org.
$TTL 1h
@ IN SOA ns1 hostmaster ( ; the first
    2026112101 ; serial
    1d 2h      ; refresh, retry
    4w ) 5m
  NS ns1
ns1 600 A 192.0.2.1
`;
    expect(read(text)).toEqual({
      records: [
        "example.org 3600 SOA ns1.example.org hostmaster.example.org 2026112101 86400 7200 2419200 300",
        "example.org 3600 NS ns1.example.org",
        "ns1.example.org 600 A 192.0.2.1",
      ],
      problems: [],
    });
  });

  test("the owner of a line that begins blank is the one before", () => {
    expect(read("a A 192.0.2.1\n\n ; nothing\n\tAAAA ::1\nb TXT x\n  60 TXT y").records).toEqual([
      "a.example.org 300 A 192.0.2.1",
      "a.example.org 300 AAAA ::1",
      'b.example.org 300 TXT "x"',
      'b.example.org 60 TXT "y"',
    ]);
  });

  test("$ORIGIN may be relative and holds from then on", () => {
    const text = "$ORIGIN sub\na A 192.0.2.1\n$ORIGIN deep\n@ A 192.0.2.2";
    expect(read(text).records).toEqual([
      "a.sub.example.org 300 A 192.0.2.1",
      "deep.sub.example.org 300 A 192.0.2.2",
    ]);
  });

  test("without $TTL the last TTL holds; an SOA alone gives its minimum", () => {
    const soa = "@ SOA a b 1 2 3 4 77";
    const options = { ttlSeconds: null };
    expect(read(`${soa}\na A 192.0.2.1\nb 5 A 192.0.2.1\nc A 192.0.2.1`, options)).toEqual({
      records: [
        "example.org 77 SOA a.example.org b.example.org 1 2 3 4 77",
        "a.example.org 77 A 192.0.2.1",
        "b.example.org 5 A 192.0.2.1",
        "c.example.org 5 A 192.0.2.1",
      ],
      problems: [],
    });
    expect(read("a A 192.0.2.1", options).problems).toEqual([
      "1:5 the TTL is missing; write $TTL at the top of the file, or a TTL here",
    ]);
  });
});

describe("$INCLUDE", () => {
  const files: Readonly<Record<string, string>> = {
    hosts: "$ORIGIN deep\na A 192.0.2.1\n$TTL 7",
    self: "$INCLUDE self",
    twice: "$INCLUDE twice\n".repeat(50),
    bad: "a A nonsense",
  };
  const include = (file: string) => {
    const text = files[file];
    return text === undefined ? fail("there is no such file") : ok(text);
  };

  test("goes through the caller; origin and owner come back, the TTL stays", () => {
    const text = 'x A 192.0.2.9\n$INCLUDE "hosts" sub\n  TXT y';
    expect(read(text, { include })).toEqual({
      records: [
        "x.example.org 300 A 192.0.2.9",
        "a.deep.sub.example.org 300 A 192.0.2.1",
        'x.example.org 7 TXT "y"',
      ],
      problems: [],
    });
  });

  test.each([
    ["$INCLUDE hosts", null, "1:1 $INCLUDE is not allowed here"],
    ["$INCLUDE gone", include, "1:10 gone cannot be included: there is no such file"],
    ["$INCLUDE", include, "1:1 write $INCLUDE and the name of a file"],
    ["$INCLUDE self", include, "1:1 files are included more than 8 deep"],
    ["$INCLUDE twice", include, "more than 8 deep"],
    ["$INCLUDE bad", include, "1:5 A: "],
  ])("%s", (text, port, problem) => {
    const { problems } = read(text, { include: port });
    expect(problems.length).toBeLessThan(102);
    expect(problems[0]).toContain(problem);
  });

  test("the number of files is bounded too", () => {
    const many = { include: () => ok("a A 192.0.2.1") };
    const { problems } = read("$INCLUDE x\n".repeat(1001), many);
    expect(problems).toEqual(["1001:1 more than 1000 files are included"]);
  });
});

describe("mistakes have their place, say what to write, and hide nothing", () => {
  test.each([
    ["an empty label", "a..b A 192.0.2.1", "1:1 the name has an empty label"],
    ["a name in rdata", "w MX 10 a..b", "1:9 the name has an empty label"],
    ["a bad address", "www A 192.0.2", '1:7 A: "192.0.2" is no IPv4 address'],
    ["an unknown type", "www FOO x", '1:5 "FOO" is no record type'],
    ["a type that is none of a zone", "www ANY x", "1:5 class ANY is not served"],
    ["a meta type", "www TSIG x", "1:5 TSIG never stands in a zone"],
    ["another class", "www CH A 192.0.2.1", "1:5 class CH is not served; write IN"],
    ["no type", "www 60 IN", "1:8 the type is missing"],
    ["no data", "www A", "1:5 A: "],
    ["too much data", "www A 192.0.2.1 x", "1:7 A: "],
    ["a TTL that is too long", "www 2147483648 A 192.0.2.1", "1:5 a TTL has at most"],
    ["a blank first line", " A 192.0.2.1", "1:2 the line begins with a space"],
    ["outside the zone", "www.example.net. A 192.0.2.1", "1:1 www.example.net lies outside"],
    ["an unclosed quote", 't TXT "a', "1:7 a quoted string is not closed on its line"],
    ["a stray parenthesis", "t TXT a )", "1:9 a parenthesis is closed that was not opened"],
    ["an unclosed parenthesis", "@ SOA a b ( 1 2", "1:11 a parenthesis is opened and never closed"],
    ["a backslash at the end", "t TXT a\\", "1:9 a backslash is at the end"],
    ["a wrong escape", "t TXT \\256", "1:7 TXT: after a backslash"],
    ["a name beyond ASCII", "bücher A 192.0.2.1", "1:1 a name holds ASCII only"],
    ["an unknown directive", "$FOO x", "1:1 $FOO is no directive"],
    ["$GENERATE", "$GENERATE 1-2 a$ A 192.0.2.$", "1:1 $GENERATE is BIND's own"],
    ["$ORIGIN without a name", "$ORIGIN", "1:1 write $ORIGIN and one name"],
    ["$TTL without seconds", "$TTL soon", "1:6 write $TTL and seconds"],
    ["$TTL alone", "$TTL", "1:1 write $TTL and seconds"],
    ["$TTL with two", "$TTL 1 2", "1:8 write $TTL and seconds"],
    ["$ORIGIN with two names", "$ORIGIN a b", "1:11 write $ORIGIN and one name"],
    ["$ORIGIN that is no name", "$ORIGIN a..b", "1:9 "],
    ["generic data of a wrong length", "x A \\# 5 c0000201", "1:5 \\# 5 needs 10 hex digits"],
    ["generic data that is none", "x A \\# 3 c00002", "1:5 these bytes are no data of type A"],
    ["an SOA number", "@ SOA a b 1 2x 3 4 5", "1:7 SOA: the refresh must be"],
  ])("%s", (_title, text, problem) => {
    const { records, problems } = read(`${text}\ngood A 192.0.2.9\n`);
    expect(records).toEqual(["good.example.org 300 A 192.0.2.9"]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  test("places count through parentheses, and several mistakes are all told", () => {
    const text = '@ TXT ( "a"\n "b )\n "c" )\nx A 1\n\n  AAAA 1\ny A 192.0.2.1';
    expect(read(text)).toEqual({
      records: ["y.example.org 300 A 192.0.2.1"],
      problems: [
        "2:2 a quoted string is not closed on its line; add the missing quote",
        '4:5 A: "1" is no IPv4 address; write one such as 192.0.2.1',
        '6:8 AAAA: "1" is no IPv6 address; write one such as 2001:db8::1',
      ],
    });
  });
});

describe("bounds", () => {
  const limits = {
    ...DEFAULT_ZONE_FILE_LIMITS,
    fileCharactersMax: 1000,
    entryCharactersMax: 100,
    recordsMax: 3,
    problemsMax: 5,
  };

  test.each([
    ["a file", "x".repeat(1001), "1:1 the file has more than 1000 characters"],
    ["a line", `t TXT ${"x".repeat(200)}`, "1:207 an entry has more than 100 characters"],
    ["an entry", `t TXT (\n${"x\n".repeat(100)})`, "1:7 a parenthesis is opened and never closed"],
    ["records", "a A 192.0.2.1\n".repeat(5), "4:1 the zone has more than 3 records"],
  ])("%s that is too large is told", (_title, text, problem) => {
    expect(read(text, { limits }).problems[0]).toContain(problem);
  });

  test("reading stops after so many problems", () => {
    const { problems } = read("a FOO\n".repeat(50), { limits });
    expect(problems).toHaveLength(6);
    expect(problems.at(-1)).toContain("reading stopped after 5 problems");
  });

  test("a file of open parentheses costs a bounded number of looks at it", () => {
    const text = "(\n".repeat(300_000);
    expect(read(text).problems).toHaveLength(101);
  });
});
