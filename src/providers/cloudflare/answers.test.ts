/**
 * Answers in every form that the API's description allows (api-schemas of Cloudflare): numbers as
 * text, absent and empty fields, fields that nobody knows, and pages of whoever is between.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyOnce, create, recordSet, soon } from "../../../test/conformance/provider-harness.ts";
import { makeFake, openCloudflare } from "../../../test/support/fakes/cloudflare/harness.ts";
import type { FakeCloudflare } from "../../../test/support/fakes/cloudflare/server.ts";
import type { Zone } from "../../model/zone.ts";
import type { ProviderSession } from "../provider.ts";

let fake: FakeCloudflare;
let session: ProviderSession;
let zone: Zone;

beforeEach(async () => {
  fake = makeFake();
  fake.addZone("z1", "example.org").type = "partial";
  session = openCloudflare(await fake.start());
  const [found] = await session.zones(soon());
  if (found === undefined) throw new Error("no zone");
  zone = found;
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** The next call of this kind is answered so. */
function answer(at: RegExp, body: unknown, status = 200): void {
  fake.answerNext(at, status, body);
}

const GOOD = { success: true, errors: [], messages: [] };
const A = { id: "r1", name: "a.example.org", type: "A", content: "192.0.2.1", ttl: 60 };

test("international names come in Unicode, as zones, records and targets", async () => {
  const given = { id: "z2", name: "Bücher.example", type: "full", name_servers: ["ns.例子.org"] };
  answer(/\/zones\?/, {
    ...GOOD,
    result: [given],
    result_info: { total_count: 1, total_pages: 1 },
  });
  const [found] = await session.zones(soon());
  if (found === undefined) throw new Error("no zone");
  expect(found.name).toBe("xn--bcher-kva.example");
  const records = [
    { ...A, name: "例子.bücher.example" },
    {
      ...A,
      id: "r2",
      name: "mail.bücher.example",
      type: "MX",
      priority: 10,
      content: "mx.bücher.example",
    },
    { ...A, id: "r3", name: "text.bücher.example", type: "TXT", content: '"bücher"' },
  ];
  answer(/dns_records/, { ...GOOD, result: records });
  const { sets } = await session.records(found, null, soon());
  expect(sets.map(({ name, type, values }) => [name, type, ...values])).toEqual([
    ["mail.xn--bcher-kva.example", "MX", "10 mx.xn--bcher-kva.example"],
    ["text.xn--bcher-kva.example", "TXT", '"b\\195\\188cher"'],
    ["xn--bcher-kva.example", "NS", "ns.xn--fsqu00a.org"],
    [
      "xn--bcher-kva.example",
      "SOA",
      "ns.xn--fsqu00a.org dns.cloudflare.com 0 10000 2400 604800 1800",
    ],
    ["xn--fsqu00a.xn--bcher-kva.example", "A", "192.0.2.1"],
  ]);
});

describe("records", () => {
  test.each<[string, object, string]>([
    ["without `proxied` and `comment`", A, "A 60 192.0.2.1"],
    ["with a TTL as text", { ...A, ttl: "60" }, "A 60 192.0.2.1"],
    [
      "with null and unknown fields",
      { ...A, comment: null, tags: null, data: null, proxied: null, new: {} },
      "A 60 192.0.2.1",
    ],
    ["in capitals, with a dot", { ...A, name: "A.Example.org." }, "A 60 192.0.2.1"],
    ["with an automatic TTL", { ...A, ttl: 1 }, "A 300 192.0.2.1"],
    ["without a TTL", { ...A, ttl: null }, "A 300 192.0.2.1"],
    [
      "MX with a priority as text",
      { ...A, type: "MX", content: "mx.example.net.", priority: "10" },
      "MX 60 10 mx.example.net",
    ],
    [
      "SRV with numbers as text",
      {
        ...A,
        type: "SRV",
        content: "",
        data: { priority: "1", weight: "2", port: "3", target: "s.example.net." },
      },
      "SRV 60 1 2 3 s.example.net",
    ],
  ])("%s", async (_what, record, expected) => {
    answer(/dns_records/, {
      ...GOOD,
      result: [record],
      result_info: { total_count: 1, total_pages: 1 },
    });
    const { sets } = await session.records(zone, null, soon());
    expect(
      sets.map(({ name, type, ttlSeconds, values }) =>
        [name, type, ttlSeconds, ...values].join(" "),
      ),
    ).toEqual([`a.example.org ${expected}`]);
  });

  test.each([
    ["no word about pages", {}],
    ["null for it", { result_info: null }],
    [
      "numbers of pages as text",
      { result_info: { page: "1", per_page: "5000", total_count: "1", total_pages: "1" } },
    ],
    ["an empty word about pages", { result_info: {} }],
  ])("one page with %s is whole", async (_what, more) => {
    answer(/dns_records/, { ...GOOD, result: [A], ...more });
    expect((await session.records(zone, null, soon())).sets).toHaveLength(1);
  });

  test.each([0, 2])("one page with 1 of %i records is no zone", async (total) => {
    const result_info = { total_count: total, total_pages: 1 };
    answer(/dns_records/, { ...GOOD, result: [A], result_info });
    await expect(session.records(zone, null, soon())).rejects.toThrow(/changes while/);
  });

  test.each([{ id: null }, { id: 7 }, { name: null }, { type: undefined }])(
    "a record with %j makes the reading incomplete",
    async (more) => {
      answer(/dns_records/, { ...GOOD, result: [A, { ...A, id: "r2", ...more }] });
      await expect(session.records(zone, null, soon())).rejects.toMatchObject({
        code: "ProviderUnavailable",
      });
    },
  );

  test("two pages whose numbers are text are both read", async () => {
    const info = (page: string) => ({ page, per_page: "1", total_count: "2", total_pages: "2" });
    answer(/page=1&/, { ...GOOD, result: [A], result_info: info("1") });
    answer(/page=2&/, {
      ...GOOD,
      result: [{ ...A, id: "r2", content: "192.0.2.2" }],
      result_info: info("2"),
    });
    const { sets } = await session.records(zone, null, soon());
    expect(sets.map(({ values }) => values)).toEqual([["192.0.2.1", "192.0.2.2"]]);
  });

  test.each([
    "",
    "null",
    "[]",
    "<html>Log in</html>",
    { ...GOOD, result: {} },
    { success: "true", result: [] },
  ])("%j is no zone", async (body) => {
    answer(/dns_records/, body);
    await expect(session.records(zone, null, soon())).rejects.toMatchObject({
      name: "OperationError",
    });
  });
});

test.each<[string, object, string]>([
  ["as little as there may be", { id: "z2", name: "Example.NET" }, "z2 example.net public"],
  [
    "null for what is optional",
    {
      id: "z2",
      name: "example.net",
      plan: null,
      name_servers: null,
      vanity_name_servers: null,
      type: null,
    },
    "z2 example.net public",
  ],
  [
    "an internal one",
    { id: "z2", name: "example.net", type: "internal", plan: { legacy_id: null } },
    "z2 example.net private",
  ],
])("zones: %s", async (_what, fields, expected) => {
  answer(/zones/, { ...GOOD, result: [fields] });
  const found = await session.zones(soon());
  expect(found.map(({ id, name, visibility = "public" }) => `${id} ${name} ${visibility}`)).toEqual(
    [expected],
  );
});

test.each<[number, unknown, string]>([
  [200, { ...GOOD, result: null }, "applied"],
  [200, { ...GOOD, result: {} }, "applied"],
  [200, { success: true, errors: null, result: { posts: null, deletes: null } }, "applied"],
  [200, { success: true, result: { posts: [{ ...A, ttl: "900" }] } }, "applied"],
  [200, "", "unknown"],
  [200, "<html>Log in</html>", "unknown"],
  [200, { success: false, errors: [] }, "unknown"],
  [
    400,
    { success: false, errors: [{ code: "81058", message: "An identical record already exists." }] },
    "precondition-failed",
  ],
  [
    400,
    {
      success: false,
      errors: [
        {
          code: 1004,
          message: "DNS Validation Error",
          error_chain: [{ code: "9005", message: null }],
        },
      ],
    },
    "rejected",
  ],
  [
    400,
    {
      success: false,
      errors: [{ code: 1004, message: "no", error_chain: [{ code: "x", message: "why" }] }],
    },
    "rejected",
  ],
  [400, { success: false, errors: [{}], result: null, messages: null }, "rejected"],
  [502, "<html>Bad gateway</html>", "unknown"],
])("a write that is answered with %i %j is %s", async (status, body, expected) => {
  answer(/^POST/, body, status);
  const [outcome] = await applyOnce(session, [
    create(recordSet("a.example.org", "A", "192.0.2.1")),
  ]);
  expect(outcome?.status).toBe(expected);
  expect(JSON.stringify(outcome)).not.toContain("NaN");
});
