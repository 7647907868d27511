/** What people read when Route 53 or AWS STS refuses: no secret, and what to do. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyOnce,
  create,
  recordSet,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { openRoute53, ROUTE53_SECRET } from "../../../test/support/fakes/route53/harness.ts";
import { FakeRoute53, refusal } from "../../../test/support/fakes/route53/server.ts";
import { FakeSts } from "../../../test/support/fakes/route53/sts.ts";
import type { ProviderSession } from "../provider.ts";

const ROLE = "arn:aws:iam::123456789012:role/zonekeeper";
const TOKEN = "FwoGZXIvYXdzEXAMPLETOKEN";
const RIGHTS = "give the key the rights on the page of aws-route53";
/** As AWS answers a wrong signature. */
const WRONG_SIGNATURE = [
  "The request signature we calculated does not match the signature you provided.",
  `The Canonical String for this request should have been\n'GET\n/\n\nx-amz-security-token:${TOKEN}\n`,
  "The String-to-Sign should have been\n'AWS4-HMAC-SHA256\n20260101'",
].join("\n\n");

let fake: FakeRoute53;
let sts: FakeSts;
let endpoint: string;
let stsEndpoint: string;
let session: ProviderSession;

beforeEach(async () => {
  [fake, sts] = [new FakeRoute53(), new FakeSts(ROLE)];
  [endpoint, stsEndpoint] = [await fake.start(), await sts.start()];
  fake.addZone("Z1", "example.org");
  session = openRoute53(endpoint);
});
afterEach(async () => {
  session.close();
  await Promise.all([fake.stop(), sts.stop()]);
});

async function failureOf(call: Promise<unknown>): Promise<OperationError> {
  const error: unknown = await call.catch((one: unknown) => one);
  if (error instanceof OperationError) return error;
  throw new Error(`no OperationError: ${String(error)}`);
}

const batch = [
  create(recordSet("a.example.org", "A", "192.0.2.1")),
  create(recordSet("b.example.org", "A", "192.0.2.1")),
];

describe("a wrong signature is told without what was to be signed", () => {
  test("by Route 53", async () => {
    fake.breakNext(/hostedzone/, refusal(403, "SignatureDoesNotMatch", WRONG_SIGNATURE));
    const { code, message } = await failureOf(session.zones(soon()));
    expect(code).toBe("ProviderCredentials");
    expect(message).toMatch(/we calculated does not match .* provided\.; correct the Secret/);
    expect(message).not.toMatch(/FwoG|String|\n/);
  });

  test("by STS", async () => {
    const secret = { ...ROUTE53_SECRET, AWS_SESSION_TOKEN: TOKEN, AWS_ROLE_ARN: ROLE };
    const other = openRoute53(endpoint, {}, { stsEndpoint }, secret);
    sts.breakNext(/^POST/, refusal(403, "SignatureDoesNotMatch", WRONG_SIGNATURE));
    const { message } = await failureOf(other.zones(soon()));
    other.close();
    expect(message).toMatch(/cannot be assumed: SignatureDoesNotMatch: .* provided\./);
    expect(message).not.toMatch(/FwoG|String|\n/);
  });
});

test("a long or unprintable reason is cut and shown on one line", async () => {
  fake.breakNext(/hostedzone/, refusal(400, "InvalidInput", `a\u001b[31mbbb ${"b ".repeat(1000)}`));
  const { message } = await failureOf(session.zones(soon()));
  expect(message).toContain("a\\u001b[31mbbb");
  expect(message.length).toBeLessThan(500);
});

describe("a right that is missing", () => {
  const denied = refusal(403, "AccessDenied", "User: x is not authorized to perform: route53:y");

  test.each([
    ["AccessDenied", denied],
    ["an empty 403", { is: "refused", status: 403, body: "" } as const],
  ])("%s: reading says which page has the rights", async (_what, fault) => {
    fake.breakNext(/hostedzone/, fault);
    const listed = await failureOf(session.zones(soon()));
    const zone = await zoneOf(session);
    fake.breakNext(/rrset/, fault);
    for (const { code, message } of [
      listed,
      await failureOf(session.records(zone, null, soon())),
    ]) {
      expect(code).toBe("ProviderCredentials");
      expect(message).toContain(RIGHTS);
    }
  });

  test("writing says it too, of the names that are refused", async () => {
    fake.breakNext(/^POST/, denied);
    const outcomes = await applyOnce(session, batch);
    expect(outcomes).toHaveLength(2);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        status: "rejected",
        code: "AccessDenied",
        message: expect.stringContaining(RIGHTS),
      });
  });
});

test.each([
  [502, "<html><body>Bad gateway</body></html>", /HTTP status 502$/],
  [403, "", /HTTP status 403; /],
  [200, '<?xml version="1.0"?>\n<ListHost', /the answer is not XML, or not whole$/],
])("%i %s is told by what it is", async (status, body, message) => {
  fake.breakNext(/hostedzone/, { is: "refused", status, body });
  const error = await failureOf(session.zones(soon()));
  expect(error.message).toMatch(message);
  expect(error.message).not.toMatch(/Unknown|hidden field|[<>]/);
});

test.each([
  ["proxied", { proxied: "true" }, "UnsupportedProperty"],
  ["aliasHostedZoneId", { aliasHostedZoneId: "Z2" }, "UnsupportedProperty"],
  ["evaluateTargetHealth", { evaluateTargetHealth: "true" }, "UnsupportedProperty"],
])("the property %s is refused, not dropped", async (property, properties, code) => {
  const set = { ...recordSet("a.example.org", "A", "192.0.2.1"), properties };
  const [problem] = session.audit(set, await zoneOf(session));
  expect(problem).toMatchObject({ code, message: expect.stringContaining(property) });
});

test("an alias has its own properties, and no other", async () => {
  const alias = { alias: "true", aliasHostedZoneId: "Z2", evaluateTargetHealth: "true" };
  const set = { ...recordSet("a.example.org", "A", "lb.example.net"), properties: alias };
  const zone = await zoneOf(session);
  expect(session.audit(set, zone)).toEqual([]);
  const proxied = { ...set, properties: { ...alias, proxied: "true" } };
  expect(session.audit(proxied, zone)).toMatchObject([{ code: "UnsupportedProperty" }]);
});

test("Z-6: a whole listing without SOA is no zone", async () => {
  const zone = await zoneOf(session);
  fake.breakNext(/rrset/, {
    is: "refused",
    status: 200,
    headers: { "content-type": "text/xml" },
    body: "<ListResourceRecordSetsResponse><ResourceRecordSets/><IsTruncated>false</IsTruncated></ListResourceRecordSetsResponse>",
  });
  const error = await failureOf(session.records(zone, null, soon()));
  expect(error.message).toContain("no SOA record");
});

test.each([
  [
    "RRSet of type CNAME with DNS name www.example.org. is not permitted as it conflicts with other records with the same DNS name in zone example.org.",
    "CNAME",
  ],
  [
    "RRSet of type CNAME with DNS name www.example.org. is not permitted because a conflicting RRSet of type A with the same DNS name already exists in zone example.org.",
    "CNAME",
  ],
  [
    'RRSet with DNS name www.example.org., type TXT, SetIdentifier "one" cannot be created because a non multivalue answer rrset exists with the same name and type.',
    "TXT",
  ],
])("%s: the zone is read", async (text, type) => {
  const body = `<?xml version="1.0"?><InvalidChangeBatch><Messages><Message>${text}</Message></Messages></InvalidChangeBatch>`;
  fake.breakNext(/^POST/, { is: "refused", status: 400, body });
  const set = recordSet("www.example.org", type, type === "TXT" ? '"x"' : "lb.example.net");
  expect(await applyOnce(session, [create(set)])).toMatchObject([
    { status: "precondition-failed", message: text },
  ]);
});
