import { describe, expect, test } from "vitest";
import {
  linesOf,
  nameOf,
  textOf,
  zoneFromText,
} from "../../../../../test/support/name-server/zone-text.ts";
import { answerQuestion } from "./answer.ts";

interface Case {
  readonly zone: string;
  /** `name TYPE` */
  readonly ask: string;
  readonly rcode?: string;
  /** AA; true unless said otherwise. */
  readonly authoritative?: boolean;
  readonly answer?: string;
  readonly authority?: string;
  readonly additional?: string;
}

const NEGATIVE = "@ 60 SOA ns1.example.org hostmaster.example.org 7 3600 600 86400 60";

function check(title: string, item: Case): void {
  test(title, () => {
    const [name = "", type = ""] = item.ask.split(" ");
    const question = { name: nameOf(name), type, class: "IN" as const };
    const got = answerQuestion(zoneFromText(item.zone), question);
    expect({
      rcode: got.rcode,
      authoritative: got.authoritative,
      answer: textOf(got.answer),
      authority: textOf(got.authority),
      additional: textOf(got.additional),
    }).toEqual({
      rcode: item.rcode ?? "NOERROR",
      authoritative: item.authoritative ?? true,
      answer: [...linesOf(item.answer ?? "")].sort(),
      authority: [...linesOf(item.authority ?? "")].sort(),
      additional: [...linesOf(item.additional ?? "")].sort(),
    });
  });
}

describe("data that is there", () => {
  check("one address", {
    zone: "www A 192.0.2.1",
    ask: "www A",
    answer: "www 300 A 192.0.2.1",
  });
  check("all records of a set", {
    zone: "www 60 A 192.0.2.1\n www 60 A 192.0.2.2\n www AAAA 2001:db8::1",
    ask: "www A",
    answer: "www 60 A 192.0.2.1\n www 60 A 192.0.2.2",
  });
  check("SOA with its own TTL", {
    zone: "",
    ask: "@ SOA",
    answer: "@ 3600 SOA ns1.example.org hostmaster.example.org 7 3600 600 86400 60",
  });
  check("NS of the apex is an answer, no referral", {
    zone: "",
    ask: "@ NS",
    answer: "@ 3600 NS ns1.example.org",
  });
  check("ANY gives the first set only (RFC 8482 §4.1)", {
    zone: 'www TXT "x"\n www A 192.0.2.1',
    ask: "www ANY",
    answer: "www 300 A 192.0.2.1",
  });
});

describe("data that is not there", () => {
  check("another type exists: NODATA with the negative TTL (RFC 2308 §5)", {
    zone: "www A 192.0.2.1",
    ask: "www AAAA",
    authority: NEGATIVE,
  });
  check("no such name", { zone: "", ask: "nope A", rcode: "NXDOMAIN", authority: NEGATIVE });
  check("an empty non-terminal exists (RFC 8020)", {
    zone: "a.b.c A 192.0.2.1",
    ask: "c A",
    authority: NEGATIVE,
  });
  check("below a leaf nothing exists", {
    zone: "www A 192.0.2.1",
    ask: "x.www A",
    rcode: "NXDOMAIN",
    authority: NEGATIVE,
  });
  check("ANY at an empty non-terminal", {
    zone: "a.b A 192.0.2.1",
    ask: "b ANY",
    authority: NEGATIVE,
  });
});

describe("aliases", () => {
  check("a chain is followed to its end", {
    zone: "a CNAME b\n b CNAME c\n c A 192.0.2.1",
    ask: "a A",
    answer: "a 300 CNAME b.example.org\n b 300 CNAME c.example.org\n c 300 A 192.0.2.1",
  });
  check("the alias itself", {
    zone: "a CNAME b\n b A 192.0.2.1",
    ask: "a CNAME",
    answer: "a 300 CNAME b.example.org",
  });
  check("the target lies elsewhere", {
    zone: "a CNAME host.example.net.",
    ask: "a A",
    answer: "a 300 CNAME host.example.net",
  });
  check("the target lacks the type", {
    zone: "a CNAME b\n b A 192.0.2.1",
    ask: "a AAAA",
    answer: "a 300 CNAME b.example.org",
    authority: NEGATIVE,
  });
  check("the target does not exist: NXDOMAIN speaks of it (RFC 2308 §2.1)", {
    zone: "a CNAME b",
    ask: "a A",
    rcode: "NXDOMAIN",
    answer: "a 300 CNAME b.example.org",
    authority: NEGATIVE,
  });
  check("a ring ends", {
    zone: "a CNAME b\n b CNAME a",
    ask: "a A",
    answer: "a 300 CNAME b.example.org\n b 300 CNAME a.example.org",
  });
  check("an alias to itself ends", {
    zone: "a CNAME a",
    ask: "a A",
    answer: "a 300 CNAME a.example.org",
  });
});

// The zone of RFC 4592 §2.2.1 and the answers that it lists.
describe("wildcards", () => {
  const zone = `
    *        3600 TXT "this is a wildcard"
    *        3600 MX  10 host1
    sub.*    3600 TXT "this is not a wildcard"
    host1    3600 A   192.0.2.1
    _ssh._tcp.host1 3600 SRV 0 0 22 host1.example.org
    _ssh._tcp.host2 3600 SRV 0 0 22 host1.example.org
    subdel   3600 NS  ns.example.com.
    subdel   3600 NS  ns.example.net.
  `;
  check("covers a name that does not exist", {
    zone,
    ask: "host3 MX",
    answer: "host3 3600 MX 10 host1.example.org",
  });
  check("without the type: NODATA", { zone, ask: "host3 A", authority: NEGATIVE });
  check("covers deeper names", {
    zone,
    ask: "foo.bar TXT",
    answer: 'foo.bar 3600 TXT "this is a wildcard"',
  });
  check("not a name that exists", { zone, ask: "host1 MX", authority: NEGATIVE });
  check("not the name *.example.org's child", { zone, ask: "sub.* MX", authority: NEGATIVE });
  check("not below a name that exists", {
    zone,
    ask: "_telnet._tcp.host1 SRV",
    rcode: "NXDOMAIN",
    authority: NEGATIVE,
  });
  check("not an empty non-terminal", { zone, ask: "host2 A", authority: NEGATIVE });
  check("not below a delegation", {
    zone,
    ask: "host.subdel A",
    authoritative: false,
    authority: "subdel 3600 NS ns.example.com\n subdel 3600 NS ns.example.net",
  });
  check("not below another *: ghost.* has * as its closest encloser", {
    zone,
    ask: "ghost.* MX",
    rcode: "NXDOMAIN",
    authority: NEGATIVE,
  });
  check("asked for itself", {
    zone,
    ask: "* TXT",
    answer: '* 3600 TXT "this is a wildcard"',
  });
  check("a wildcard that is only an empty non-terminal: NODATA (RFC 4592 §4.9)", {
    zone: "sub.*.w A 192.0.2.1",
    ask: "x.w A",
    authority: NEGATIVE,
  });
  check("a wildcard alias", {
    zone: "*.w CNAME host\n host A 192.0.2.1",
    ask: "x.w A",
    answer: "x.w 300 CNAME host.example.org\n host 300 A 192.0.2.1",
  });
  check("a wildcard alias into itself ends", {
    zone: "*.w CNAME y.w",
    ask: "x.w A",
    answer: "x.w 300 CNAME y.w.example.org\n y.w 300 CNAME y.w.example.org",
  });
  check("the nearest encloser counts, not the nearest wildcard", {
    zone: "* A 192.0.2.1\n b.a A 192.0.2.2",
    ask: "x.a A",
    rcode: "NXDOMAIN",
    authority: NEGATIVE,
  });
});

describe("delegations", () => {
  const zone = `
    sub    3600 NS ns.sub
    sub    3600 NS ns.example.net.
    ns.sub 3600 A  192.0.2.53
    ns.sub 3600 AAAA 2001:db8::53
    www.sub A 192.0.2.1     ; occluded
    a      CNAME x.sub
    sub    3600 DS 1 8 2 00
  `;
  const referral = {
    authority: "sub 3600 NS ns.sub.example.org\n sub 3600 NS ns.example.net",
    additional: "ns.sub 3600 A 192.0.2.53\n ns.sub 3600 AAAA 2001:db8::53",
  };
  check("the cut itself is a referral with glue", {
    zone,
    ask: "sub A",
    authoritative: false,
    ...referral,
  });
  check("NS of the cut too", { zone, ask: "sub NS", authoritative: false, ...referral });
  check("occluded data is not answered", {
    zone,
    ask: "www.sub A",
    authoritative: false,
    ...referral,
  });
  check("DS of the cut is ours (RFC 4035 §3.1.4.1)", {
    zone,
    ask: "sub DS",
    answer: "sub 3600 DS 1 8 2 00",
  });
  check("DS below the cut is not", { zone, ask: "x.sub DS", authoritative: false, ...referral });
  check("an alias into a child zone: answer and referral, AA for the alias", {
    zone,
    ask: "a A",
    answer: "a 300 CNAME x.sub.example.org",
    ...referral,
  });
});

describe("DNAME (RFC 6672)", () => {
  const LONG = Array(4).fill("x".repeat(60)).join(".");

  check("a name below is redirected, with a CNAME that has its TTL", {
    zone: "old 60 DNAME new\n a.new A 192.0.2.1",
    ask: "a.old A",
    answer:
      "old 60 DNAME new.example.org\n a.old 60 CNAME a.new.example.org\n a.new 300 A 192.0.2.1",
  });
  check("the owner itself is not redirected", {
    zone: "old DNAME new\n old A 192.0.2.9",
    ask: "old A",
    answer: "old 300 A 192.0.2.9",
  });
  check("the DNAME itself can be asked for", {
    zone: "old DNAME new",
    ask: "old DNAME",
    answer: "old 300 DNAME new.example.org",
  });
  check("what stands below it is hidden", {
    zone: "old DNAME new.example.net.\n a.old A 192.0.2.1\n *.old A 192.0.2.2",
    ask: "a.old A",
    answer: "old 300 DNAME new.example.net\n a.old 300 CNAME a.new.example.net",
  });
  check("several labels are kept", {
    zone: "old DNAME example.net.",
    ask: "c.b.a.old TXT",
    answer: "old 300 DNAME example.net\n c.b.a.old 300 CNAME c.b.a.example.net",
  });
  for (const type of ["CNAME", "ANY"])
    check(`a question for ${type} ends at the CNAME that is made`, {
      zone: "old DNAME new\n a.new CNAME b\n b A 192.0.2.1",
      ask: `a.old ${type}`,
      answer: "old 300 DNAME new.example.org\n a.old 300 CNAME a.new.example.org",
    });
  check("a target that does not exist is NXDOMAIN with the chain", {
    zone: "old DNAME new",
    ask: "a.old A",
    rcode: "NXDOMAIN",
    answer: "old 300 DNAME new.example.org\n a.old 300 CNAME a.new.example.org",
    authority: NEGATIVE,
  });
  check("a name that would be too long is YXDOMAIN with the DNAME", {
    zone: `old DNAME ${LONG}.`,
    ask: "aaaaaaaaaa.old A",
    rcode: "YXDOMAIN",
    answer: `old 300 DNAME ${LONG}`,
  });
  check("a delegation above it wins", {
    zone: "old NS ns1\n b.old DNAME new",
    ask: "a.b.old A",
    authoritative: false,
    authority: "old 300 NS ns1.example.org",
  });
  check("a CNAME leads into it", {
    zone: "w CNAME a.old\n old DNAME new\n a.new A 192.0.2.1",
    ask: "w A",
    answer:
      "w 300 CNAME a.old.example.org\n old 300 DNAME new.example.org\n a.old 300 CNAME a.new.example.org\n a.new 300 A 192.0.2.1",
  });
  test("a redirection into itself ends, and the DNAME stands in the answer once", () => {
    const question = { name: nameOf("a.old"), type: "A", class: "IN" as const };
    const { answer } = answerQuestion(zoneFromText("old DNAME b.old"), question);
    expect(answer.filter(({ type }) => type === "DNAME")).toHaveLength(1);
    expect(answer.length).toBeLessThan(20);
  });
});
