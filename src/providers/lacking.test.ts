/**
 * What a back end lacks, for every provider with the manifest of its page: each problem names the
 * record set, what is wrong and what to do, also of a set that was normalized before.
 */
import { readdirSync, readFileSync } from "node:fs";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordSet } from "../../test/conformance/provider-harness.ts";
import { exampleOf } from "../../test/support/values/provider-example.ts";
import { realEnvironment } from "../../test/support/values/rfc2136-session.ts";
import type { RecordSet, RoutingPolicy } from "../model/record-set.ts";
import { PROVIDER_TYPES } from "./index.ts";
import type { ProviderSession } from "./provider.ts";

const FOLDER = "docs/reference/providers";
const EXAMPLES = readdirSync(FOLDER).map((file) =>
  exampleOf(readFileSync(`${FOLDER}/${file}`, "utf8")),
);
const A = recordSet("www.example.org", "A", "192.0.2.1");
const ZONE = { id: "Z1", name: trustedDnsName("example.org"), endpoint: "api.example", view: "" };
const member = (type: string, parameters: RoutingPolicy["parameters"]): RecordSet => ({
  ...A,
  setIdentifier: "0",
  routingPolicy: { type, parameters },
});

async function open(type: string): Promise<ProviderSession> {
  const { secret, config } = EXAMPLES.find((one) => one.type === type) ?? { secret: {}, config: 0 };
  const provider = PROVIDER_TYPES.find((one) => one.type === type);
  const opened = await provider?.open({ secret, config }, realEnvironment());
  if (opened?.ok !== true) throw new Error(`no session of ${type}`);
  return opened.value;
}

describe.each(EXAMPLES.map(({ type }) => type))("%s", (type) => {
  let session: ProviderSession;
  beforeAll(async () => {
    session = await open(type);
  });
  afterAll(() => session.close());

  test.each<[string, RecordSet, string, RegExp]>([
    [
      "a type",
      { ...A, type: "SOA", values: ["a. b. 1 2 3 4 5"] },
      "UnsupportedType",
      /SOA are not written; possible are A/,
    ],
    ["a value", { ...A, values: ["300.1.1.1"] }, "InvalidValue", /write one such as 192\.0\.2\.1/],
    [
      "a property",
      // All others are a webhook's business.
      { ...A, properties: { [type === "external-dns-webhook" ? "alias" : "foo"]: "true" } },
      "UnsupportedProperty",
      /no property (foo|alias); (remove it|leave it out)/,
    ],
    [
      "a policy",
      member("nonsense", {}),
      "UnsupportedRoutingPolicy",
      /(remove|leave|use|possible are) /,
    ],
  ])("%s", (_what, set, code, message) => {
    const zone = { ...ZONE, providerType: type };
    for (const asked of [set, session.normalize(set, zone)]) {
      const found = session.audit(asked, zone);
      expect(found.map((one) => one.code)).toContain(code);
      for (const one of found) expect(one.subject).toMatch(/^www\.example\.org /);
      expect(found.map((one) => one.message).join()).toMatch(message);
    }
  });

  test("a TTL is moved into its bounds", () => {
    const { minSeconds, maxSeconds } = session.capabilities.ttl;
    const zone = { ...ZONE, providerType: type };
    for (const ttlSeconds of [0, 1, 86_401, 4_294_967_295]) {
      const set = session.normalize({ ...A, ttlSeconds }, zone);
      expect(set.ttlSeconds).toBeGreaterThanOrEqual(minSeconds);
      expect(set.ttlSeconds).toBeLessThanOrEqual(maxSeconds);
      expect(session.audit(set, zone)).toEqual([]);
    }
  });
});

test.each([
  ["weighted", { weight: "x" }, /weight must be a whole number from 0 to 255/],
  ["weighted", { weight: "256" }, /weight must be a whole number from 0 to 255/],
  ["latency", { region: "mars-1" }, /region must be one of AWS, such as eu-west-1/],
  ["geolocation", { location: "Berlin" }, /location must be such as continent=EU, country=DE/],
  ["failover", { failoverRecordType: "third" }, /must be primary or secondary/],
])("a policy of Route 53 with a wrong parameter: %s %j", async (type, parameters, message) => {
  const session = await open("aws-route53");
  const zone = { ...ZONE, providerType: "aws-route53" };
  expect(session.audit(member(type, parameters), zone)[0]?.message).toMatch(message);
  session.close();
});

test("a policy of Route 53 is compared as the API shows it", async () => {
  const session = await open("aws-route53");
  const zone = { ...ZONE, providerType: "aws-route53" };
  const shown = (type: string, parameters: RoutingPolicy["parameters"]): unknown =>
    session.normalize(member(type, parameters), zone).routingPolicy?.parameters;
  expect(shown("weighted", { weight: "010", healthCheckID: "h" })).toEqual({
    weight: "10",
    healthCheckID: "h",
  });
  expect(shown("failover", { failoverRecordType: "PRIMARY" })).toEqual({
    failoverRecordType: "primary",
  });
  expect(shown("weighted", { weight: "x" }), "what is wrong stays").toEqual({ weight: "x" });
  session.close();
});
