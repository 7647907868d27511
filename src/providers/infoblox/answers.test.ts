/**
 * Answers in every form that the WAPI documentation allows or that was recorded: absent fields,
 * numbers and booleans as text, null, fields that nobody knows, quotes that come and go, refusals
 * of each kind, and pages of whoever is between.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyOnce,
  create,
  mustApply,
  recordSet,
  remove,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { makeFake, openInfoblox } from "../../../test/support/fakes/infoblox/harness.ts";
import type { FakeInfoblox } from "../../../test/support/fakes/infoblox/server.ts";
import type { Zone } from "../../model/zone.ts";
import type { ProviderSession } from "../provider.ts";
import { RECORD_OBJECTS } from "./objects.ts";

let fake: FakeInfoblox;
let session: ProviderSession;
let zone: Zone;

beforeEach(async () => {
  fake = makeFake();
  fake.grid.addZone("example.org");
  session = openInfoblox(await fake.start());
  zone = await zoneOf(session);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** The question for the name finds these objects of this kind. */
async function readAs(object: string, ...found: readonly unknown[]): Promise<readonly string[]> {
  const lists = RECORD_OBJECTS.map((kind) => (kind.object === object ? found : []));
  fake.answerNext(/^POST/, 201, lists);
  const name = recordSet("a.example.org", "A").name;
  const { sets } = await session.records(zone, [name], soon());
  return sets.map(({ type, ttlSeconds, values }) => [type, ttlSeconds, ...values].join(" "));
}

const A = {
  _ref: "record:a/ZG5z:a.example.org/default",
  name: "a.example.org",
  ipv4addr: "192.0.2.1",
};
const TXT = { ...A, _ref: "record:txt/ZG5z:a.example.org/default", ttl: 60, use_ttl: true };

describe("records", () => {
  test.each<[string, object, string]>([
    ["with a TTL", { ...A, ttl: 60, use_ttl: true, disable: false }, "A 60 192.0.2.1"],
    ["with a TTL as text", { ...A, ttl: "60", use_ttl: true }, "A 60 192.0.2.1"],
    ["without `use_ttl`", { ...A, ttl: 60 }, "A 60 192.0.2.1"],
    ["with the TTL of the zone", { ...A, ttl: 60, use_ttl: false }, "A 28800 192.0.2.1"],
    ["without a TTL", A, "A 28800 192.0.2.1"],
    [
      "with null",
      { ...A, ttl: null, use_ttl: null, comment: null, disable: null },
      "A 28800 192.0.2.1",
    ],
    [
      "with unknown fields",
      { ...A, ttl: 0, use_ttl: true, extattrs: {}, cloud_info: {} },
      "A 0 192.0.2.1",
    ],
    ["in capitals and with a dot", { ...A, name: "A.Example.ORG." }, "A 28800 192.0.2.1"],
  ])("%s", async (_what, object, expected) => {
    expect(await readAs("record:a", object)).toEqual([expected]);
  });

  test.each<[string, unknown]>([
    ["disabled", { ...A, disable: true }],
    ["of another name", { ...A, name: "b.example.org" }],
    ["outside of the zone", { ...A, name: "a.example.com" }],
  ])("%s are none", async (_what, object) => {
    expect(await readAs("record:a", object)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["without a reference", { ...A, _ref: "" }],
    ["without a name", { ...A, name: undefined }],
    ["that is null", null],
  ])("one %s makes the reading incomplete", async (_what, object) => {
    await expect(readAs("record:a", A, object)).rejects.toMatchObject({
      code: "ProviderUnavailable",
    });
  });

  test.each([
    ["quoted", '"v=x" "y z"', '"v=x" "y z"'],
    ["quoted where there are blanks", 'v=x "y z"', '"v=x" "y z"'],
    ["without quotes", "v=x", '"v=x"'],
    ["with quotes inside", String.raw`"say \"yes\""`, String.raw`"say \"yes\""`],
    ["with a semicolon", '"v=DKIM1; k=rsa"', '"v=DKIM1; k=rsa"'],
  ])("a text %s", async (_what, text, expected) => {
    expect(await readAs("record:txt", { ...TXT, text })).toEqual([`TXT 60 ${expected}`]);
  });

  test.each<[string, object, string]>([
    ["record:cname", { canonical: "LB.example.net." }, "CNAME 60 lb.example.net"],
    ["record:cname", { canonical: "Bücher.example.net" }, "CNAME 60 xn--bcher-kva.example.net"],
    [
      "record:mx",
      { preference: "10", mail_exchanger: "mx.example.net" },
      "MX 60 10 mx.example.net",
    ],
    [
      "record:srv",
      { priority: 1, weight: 2, port: 443, target: "x.example.net" },
      "SRV 60 1 2 443 x.example.net",
    ],
    [
      "record:caa",
      { ca_flag: 0, ca_tag: "issue", ca_value: "ca.example" },
      'CAA 60 0 issue "ca.example"',
    ],
    ["record:ptr", { ptrdname: "x.example.net" }, "PTR 60 x.example.net"],
    ["record:dname", { target: "example.net" }, "DNAME 60 example.net"],
    ["record:ns", { nameserver: "ns1.example.net" }, "NS 60 ns1.example.net"],
    ["record:alias", { target_name: "x.example.net" }, "ALIAS 60 x.example.net"],
    [
      "record:naptr",
      {
        order: 1,
        preference: 2,
        flags: "S",
        services: "SIP+D2U",
        regexp: "",
        replacement: "x.example.net",
      },
      'NAPTR 60 1 2 "S" "SIP+D2U" "" x.example.net',
    ],
    [
      "record:tlsa",
      { certificate_usage: 3, selector: 1, matched_type: 1, certificate_data: "AB".repeat(32) },
      `TLSA 60 3 1 1 ${"ab".repeat(32)}`,
    ],
  ])("%s", async (object, fields, expected) => {
    expect(await readAs(object, { ...TXT, ...fields })).toEqual([expected]);
  });

  test.each<[string, object, readonly string[]]>([
    ["whole", { ipv4addrs: [{ ipv4addr: "192.0.2.1" }], ipv6addrs: [] }, ["A 60 192.0.2.1"]],
    ["without addresses", {}, []],
    ["with null", { ipv4addrs: null, ipv6addrs: null }, []],
    [
      "that is not in DNS",
      { ipv4addrs: [{ ipv4addr: "192.0.2.1" }], configure_for_dns: false },
      [],
    ],
  ])("a host %s", async (_what, fields, expected) => {
    expect(await readAs("record:host", { ...TXT, ...fields })).toEqual(expected);
  });

  test.each([
    "",
    "null",
    "{}",
    "[]",
    "[[]]",
    "<html>Log in</html>",
    RECORD_OBJECTS.map(() => ({})),
    RECORD_OBJECTS.map(() => null),
  ])("%j is no answer to a question", async (body) => {
    fake.answerNext(/^POST/, 201, body);
    const question = session.records(zone, [recordSet("a.example.org", "A").name], soon());
    await expect(question).rejects.toMatchObject({
      code: "ProviderUnavailable",
      message: expect.stringContaining("the zone example.org cannot be read"),
    });
  });
});

test("names that the Grid has in Unicode are read with A-labels, alone and with their zone", async () => {
  fake.grid.addZone("例子.org");
  fake.grid.create("record:a", { name: "bücher.例子.org", view: "default", ipv4addr: "192.0.2.1" });
  const found = (await session.zones(soon())).find(({ name }) => name === "xn--fsqu00a.org");
  if (found === undefined) throw new Error("no zone");
  const { name } = recordSet("xn--bcher-kva.xn--fsqu00a.org", "A");
  for (const names of [null, [name]]) {
    const { sets } = await session.records(found, names, soon());
    expect(sets.filter(({ type }) => type === "A")).toMatchObject([
      { name, values: ["192.0.2.1"] },
    ]);
  }
});

describe("listings", () => {
  test.each<[string, unknown]>([
    ["an object", { result: [] }],
    ["the last page", { result: [], next_page_id: "" }],
    ["the last page with null", { result: [], next_page_id: null }],
  ])("%s is empty", async (_what, body) => {
    fake.answerNext(/^GET .*zone_auth/, 200, body);
    expect(await session.zones(soon())).toEqual([]);
  });

  test.each(["", "null", "[]", "{}", '{"result": null}', '{"result": {}}', "<html>Log in</html>"])(
    "%j is none",
    async (body) => {
      fake.answerNext(/^GET .*zone_auth/, 200, body);
      await expect(session.zones(soon())).rejects.toMatchObject({ code: "ProviderUnavailable" });
    },
  );

  test("zones with few fields, with text for numbers, and without a name", async () => {
    const few = { _ref: "zone_auth/1:example.net/default", fqdn: "Example.NET" };
    const odd = {
      _ref: "zone_auth/2",
      fqdn: "example.com",
      soa_default_ttl: "60",
      disable: "false",
    };
    fake.answerNext(/^GET .*zone_auth/, 200, { result: [few, odd, { _ref: "x" }, null] });
    const zones = await session.zones(soon());
    expect(zones.map(({ name, view }) => `${name} ${view}`)).toEqual([
      "example.net default",
      "example.com default",
    ]);
  });
});

describe("writes", () => {
  const www = recordSet("www.example.org", "A", "192.0.2.1");

  test.each<[string, readonly unknown[]]>([
    ["the reference", ["record:a/ZG5z:www.example.org/default"]],
    ["an object", [{ _ref: "record:a/ZG5z:www.example.org/default", name: "www.example.org" }]],
    ["nothing", []],
    ["null", [null]],
  ])("a creation that is answered with %s", async (_what, body) => {
    fake.answerNext(/^POST/, 201, body);
    await mustApply(session, [create(www)]);
  });

  test("after an answer without references the name is read before it is changed", async () => {
    fake.grid.create("record:a", { name: "www.example.org", ipv4addr: "192.0.2.1" });
    fake.answerNext(/^POST/, 201, []);
    await mustApply(session, [create(www)]);
    fake.requests.splice(0);
    await mustApply(session, [remove(www)]);
    expect(fake.requests.map((one) => one.split(" ")[0])).toEqual(["GET", "DELETE"]);
  });

  const NAMED = "The record 'www.example.org' already exists.";
  const GONE = "Reference record:a/ZG5zLmJpbmRfYSQuX2RlZmF1bHQ:www.example.org/default not found";
  test.each<[number, object, object]>([
    [
      400,
      { Error: "AdmConDataError: None", code: "Client.Ibap.Data.Conflict", text: NAMED },
      { status: "precondition-failed", message: NAMED },
    ],
    [
      404,
      { Error: `AdmConDataNotFoundError: ${GONE}`, code: "Client.Ibap.Data.NotFound", text: GONE },
      {
        status: "precondition-failed",
        message: "Reference record:a www.example.org/default not found",
      },
    ],
    [
      400,
      {
        code: "Client.Ibap.Data.Conflict",
        text: "The action is not allowed. A parent was not found.",
      },
      { status: "rejected", code: "Infoblox400" },
    ],
    [
      400,
      { code: "Client.Ibap.Data", text: "Write permission for the A record is required." },
      { status: "rejected", message: expect.stringMatching(/required\.; correct USERNAME and/) },
    ],
    [
      404,
      { code: "Client.Ibap.Data.NotFound", text: "View yop not found" },
      { status: "rejected", code: "Infoblox404" },
    ],
    [
      400,
      { Error: "AdmConProtoError: Unknown object type (record:caa)", code: "Client.Ibap.Proto" },
      { status: "rejected", message: "AdmConProtoError: Unknown object type (record:caa)" },
    ],
    [
      400,
      { code: "Client.Ibap.Data", text: null },
      { status: "rejected", message: "HTTP status 400" },
    ],
    [409, { code: "Client.Ibap.Data.Conflict", text: NAMED }, { status: "precondition-failed" }],
    [400, { text: "no code" }, { status: "retry" }],
    [500, { code: "Server.Ibap", text: "Internal error" }, { status: "unknown" }],
  ])("a refusal with %i %j", async (status, body, outcome) => {
    fake.answerNext(/^POST/, status, body);
    expect(await applyOnce(session, [create(www)])).toMatchObject([outcome]);
  });

  test.each([
    ["a page for browsers", 401, "<!DOCTYPE HTML><title>401 Authorization Required</title>"],
    ["a right that is missing", 400, JSON.stringify({ text: "No permission to read" })],
    ["a right that is missing", 403, JSON.stringify({ text: "Write permission is missing" })],
  ])("the key is refused with %s", async (_what, status, body) => {
    fake.answerNext(/^GET/, status, body);
    const zones = session.zones(soon());
    await expect(zones).rejects.toMatchObject({ code: "ProviderCredentials" });
    await expect(zones).rejects.toThrow(/correct USERNAME and PASSWORD/);
    await expect(zones).rejects.not.toThrow(/DOCTYPE|grid pass/);
  });

  test("too many calls make the account wait", async () => {
    fake.throttleNext(/^POST/, "{}", 7);
    await expect(applyOnce(session, [create(www)])).rejects.toMatchObject({
      code: "Throttled",
      retryAfterMs: 7000,
    });
  });
});
