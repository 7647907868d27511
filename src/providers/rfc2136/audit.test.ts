import { describe, expect, test } from "vitest";
import { ScriptedServer } from "../../../test/support/ports/scripted-server.ts";
import { set } from "../../../test/support/values/rfc2136-session.ts";
import { SigningBench, ZONE } from "../../../test/support/worlds/signing-bench.ts";

const bench = new SigningBench();

describe("audit and normalize", () => {
  const session = bench.session(new ScriptedServer(() => {}));
  const codes = (each: Parameters<typeof session.audit>[0]) =>
    session.audit(each, ZONE).map((problem) => problem.code);

  test("what fits has no problem", () => {
    expect(codes(set("www.example.org", 0, "A", "192.0.2.1"))).toEqual([]);
    expect(codes(set("www.example.org", 2_147_483_647, "TXT", '"x"'))).toEqual([]);
    expect(codes(set("www.example.org", 60, "HTTPS", "1 . alpn=h2"))).toEqual([]);
  });

  test.each([
    ["UnsupportedType", set("www.example.org", 60, "OPENPGPKEY", "\\# 0")],
    ["InvalidValue", set("www.example.org", 60, "CAA", "\\# 0")],
    ["InvalidValue", set("www.example.org", 60, "DNAME", "a.test", "b.test")],
    [
      "UnsupportedRoutingPolicy",
      { ...set("www.example.org", 60, "A", "192.0.2.1"), setIdentifier: "x" },
    ],
    ["InvalidTtl", set("www.example.org", -1, "A", "192.0.2.1")],
    ["InvalidTtl", set("www.example.org", 2 ** 31, "A", "192.0.2.1")],
    ["InvalidValue", set("www.example.org", 60, "A", "192.0.2")],
    ["InvalidValue", set("www.example.org", 60, "CNAME", "a.test", "b.test")],
    [
      "TooManyValues",
      set(
        "www.example.org",
        60,
        "A",
        ...Array.from({ length: 1500 }, (_, index) => `10.0.${index >> 8}.${index & 255}`),
      ),
    ],
  ])("%s", (code, each) => {
    expect(codes(each)).toContain(code);
  });

  test("normalize gives what a read-back shows", () => {
    const raw = set("www.example.org", 60, "CNAME", "Target.Example.ORG.");
    expect(session.normalize(raw, ZONE).values).toEqual(["target.example.org"]);
    expect(session.normalize({ ...raw, ttlSeconds: 2 ** 40 }, ZONE).ttlSeconds).toBe(2_147_483_647);
  });
});
