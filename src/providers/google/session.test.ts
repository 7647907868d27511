/** google-clouddns on its fake: calls that are counted, forms, tokens, broken answers. */
import { describe, expect, test } from "vitest";
import {
  address,
  applyOnce,
  create,
  group,
  mustApply,
  recordSet,
  remove,
  replace,
  soon,
  withTtl,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { googleFixture } from "../../../test/support/fakes/google/fixture.ts";
import { addForeign, openGoogle, setsOf } from "../../../test/support/fakes/google/harness.ts";
import { errorBody } from "../../../test/support/fakes/google/server.ts";
import type { RecordSet } from "../../model/record-set.ts";
import { pack } from "../../sync/calls/pack-batches.ts";
import type { ProviderSession } from "../provider.ts";

const google = googleFixture();

/** Calls without tokens and the list of zones: `GET name`, `GET` for the whole zone, `POST`. */
function seen(): readonly string[] {
  return google.fake
    .takeCalls()
    .filter(({ path }) => /rrsets|changes/.test(path))
    .map(({ method, path }) => {
      const name = new URL(path, "http://fake").searchParams.get("name");
      return name === null ? method : `${method} ${name}`;
    });
}

const values = (label: string): readonly string[] =>
  setsOf(google.zone).find(({ name }) => name === `${label}.example.org`)?.values ?? [];

describe("calls", () => {
  test("a change is one call, and nothing is read for it", async () => {
    await mustApply(google.session, [create(address("one"))]);
    await mustApply(google.session, [replace(address("one"), address("one", "192.0.2.2"))]);
    await mustApply(google.session, [remove(address("one", "192.0.2.2"))]);
    expect(seen()).toEqual(["POST", "POST", "POST"]);
  });

  test("names are asked for one by one, unless the zone has fewer pages", async () => {
    const known = await zoneOf(google.session);
    const names = ["a", "b", "c"].map((label) => address(label).name);
    seen();
    expect((await google.session.records(known, names.slice(0, 2), soon())).pages).toBe(2);
    expect(seen()).toEqual(["GET a.example.org.", "GET b.example.org."]);
    await google.session.records(known, null, soon());
    seen();
    const many = await google.session.records(known, [...names, address("a").name], soon());
    expect([many.pages, many.sets, seen()]).toEqual([1, [], ["GET"]]);
  });

  test("all pages are read, and each further one waits for its turn", async () => {
    await mustApply(
      google.session,
      ["a", "b", "c", "d"].map((label) => create(address(label))),
    );
    google.fake.setsPerPage = 2;
    let turns = 0;
    google.session.pace?.(async () => {
      turns += 1;
    });
    const { sets, pages } = await google.session.records(
      await zoneOf(google.session),
      null,
      soon(),
    );
    expect([sets.length, pages, turns]).toEqual([6, 3, 2]);
  });

  test("a thousand new names with their markers are two calls", () => {
    const marker =
      '"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/a/b"';
    const groups = Array.from({ length: 1000 }, (_, index) => {
      const data = address(`n${index}`);
      const text = recordSet(`a-n${index}.example.org`, "TXT", marker);
      return group(data.name, [
        { op: "create", next: text },
        { op: "create", next: data },
      ]);
    });
    const sizes = pack(groups, google.session.capabilities).map((batch) => batch.length);
    expect(sizes).toEqual([500, 500]);
  });
});

test("all DNSProviders of a project share its rate, and no other's", () => {
  const account = JSON.parse(google.secret["serviceaccount.json"] ?? "") as object;
  const withAccount = (more: object): ProviderSession =>
    openGoogle({
      ...google,
      secret: { "serviceaccount.json": JSON.stringify({ ...account, ...more }) },
    });
  const other = withAccount({ client_email: "other@example-project.iam.gserviceaccount.com" });
  const privateZones = openGoogle(google, {}, { zoneType: "private" });
  const otherProject = withAccount({ project_id: "another-project" });
  expect([other.rateKey, privateZones.rateKey]).toEqual([
    google.session.rateKey,
    google.session.rateKey,
  ]);
  expect(otherProject.rateKey).not.toBe(google.session.rateKey);
  for (const one of [other, privateZones, otherProject]) one.close();
});

describe("data in other forms", () => {
  test("a record set is deleted as it was written by somebody else", async () => {
    const texts = ['"b"   "c"', '"a"'];
    google.zone.put({ name: "T.example.org.", type: "TXT", ttl: 60, rrdatas: texts });
    const known = await zoneOf(google.session);
    const [read] = (await google.session.records(known, null, soon())).sets.filter(
      ({ name }) => name === "t.example.org",
    );
    expect(read?.values).toEqual(['"a"', '"b" "c"']);
    if (read === undefined) return;
    await mustApply(google.session, [replace(read, withTtl(read, 300))]);
    await mustApply(google.session, [remove(withTtl(read, 300))]);
    expect(values("t")).toEqual([]);
  });

  test("members of routing policies are read, and what has none is told", async () => {
    const weighted = {
      wrr: {
        items: [
          { weight: 1, rrdatas: ["192.0.2.1"] },
          { weight: "0", rrdatas: ["192.0.2.3"] },
        ],
      },
    };
    const located = { geo: { items: [{ location: "europe-west1", rrdatas: ["192.0.2.2"] }] } };
    const rrset = { type: "A", ttl: 60, rrdatas: [] };
    google.zone.put({ ...rrset, name: "w.example.org.", routingPolicy: weighted });
    google.zone.put({ ...rrset, name: "g.example.org.", routingPolicy: located });
    google.zone.put({ ...rrset, name: "p.example.org.", routingPolicy: { primaryBackup: {} } });
    const known = await zoneOf(google.session);
    const sets = (await google.session.records(known, null, soon())).sets.filter(
      ({ type }) => type === "A",
    );
    const shown = sets.map(({ name, setIdentifier, routingPolicy, properties }) => [
      name,
      setIdentifier,
      routingPolicy?.type ?? properties["routingPolicy"],
    ]);
    expect(shown).toEqual([
      ["g.example.org", "europe-west1", "geolocation"],
      ["p.example.org", null, "primaryBackup"],
      ["w.example.org", "0", "weighted"],
      ["w.example.org", "1", "weighted"],
    ]);
    const refused = sets.filter((set) => google.session.audit(set, known).length > 0);
    expect(refused.map(({ name }) => name)).toEqual(["p.example.org"]);
  });
});

test("zones that answer from elsewhere are left out; zoneType chooses", async () => {
  const { fake } = google;
  fake.addZone("inside", "example.org", { visibility: "private" });
  fake.addZone("forward", "example.com", { visibility: "private", forwardingConfig: {} });
  fake.addZone("peer", "example.net", { visibility: "private", peeringConfig: {} });
  fake.zonesPerPage = 2;
  const shown = async (config: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
    const chosen = openGoogle(google, {}, config);
    const zones = await chosen.zones(soon());
    chosen.close();
    return zones.map(({ id, visibility = "public" }) => `${id} ${visibility}`);
  };
  const inside = "example-project/inside private";
  const outside = "example-project/example-org public";
  expect(await shown({})).toEqual([outside, inside]);
  expect(await shown({ zoneType: "private" })).toEqual([inside]);
  expect(await shown({ zoneType: "public" })).toEqual([outside]);
});

describe("refusals", () => {
  test("a refusal is everybody's", async () => {
    addForeign(google.zone, address("taken"));
    const cname = recordSet("taken.example.org", "CNAME", "lb.example.com");
    const bad = group(address("bad").name, [{ op: "create", next: address("bad", "300.1.1.1") }]);
    const cases: readonly (readonly [ReturnType<typeof group>, string])[] = [
      [bad, "rejected"],
      [create(address("taken")), "precondition-failed"],
      [create(cname), "precondition-failed"],
      [remove(address("gone")), "precondition-failed"],
      [remove(address("taken", "192.0.2.9")), "precondition-failed"],
    ];
    for (const [one, status] of cases)
      expect(await applyOnce(google.session, [create(address("good")), one])).toMatchObject([
        { status },
        { status },
      ]);
    expect(values("good")).toEqual([]);
  });

  test("a record set that must be as it was, and is not written, is deleted and added", async () => {
    addForeign(google.zone, address("fence"));
    const guarded = (set: RecordSet) =>
      group(address("a").name, [{ op: "create", next: address("a") }], [{ is: "exact", set }]);
    expect(await applyOnce(google.session, [guarded(address("fence", "192.0.2.9"))])).toMatchObject(
      [{ status: "precondition-failed" }],
    );
    await mustApply(google.session, [guarded(address("fence"))]);
    expect([values("fence"), values("a")]).toEqual([["192.0.2.1"], ["192.0.2.1"]]);
  });

  test.each([
    [400, errorBody(400, "required", "The 'entity.change' parameter is required."), "rejected"],
    [403, errorBody(403, "forbidden", "Forbidden"), "retry"],
    [403, errorBody(403, "quotaExceeded", "Quota exceeded"), "rejected"],
    [404, errorBody(404, "notFound", "The 'parameters.managedZone' resource"), "retry"],
    [412, '{"error":{"code":412,"message":"Precondition not met"}}', "precondition-failed"],
    [413, "", "rejected"],
    [500, errorBody(500, "backendError", "Backend Error"), "unknown"],
    [502, "<html>Bad gateway</html>", "unknown"],
    [503, '{"error":null}', "unknown"],
    [302, "", "unknown"],
  ])("%i %s is %s", async (status, body, outcome) => {
    google.fake.breakNext(/^POST .*changes/, { is: "refused", status, body });
    const [found] = await applyOnce(google.session, [create(address("a"))]);
    expect(found?.status).toBe(outcome);
    expect(JSON.stringify(found)).not.toMatch(/html|PRIVATE|ya29/);
  });

  test.each([
    [429, "rateLimitExceeded"],
    [403, "rateLimitExceeded"],
    [403, "userRateLimitExceeded"],
  ])("%i %s makes the account wait", async (status, reason) => {
    const headers = { "retry-after": "7" };
    const body = errorBody(status, reason, "Rate Limit Exceeded");
    google.fake.breakNext(/^POST .*changes/, { is: "refused", status, body, headers });
    const error = await applyOnce(google.session, [create(address("a"))]).catch(
      (one: unknown) => one,
    );
    expect(error).toMatchObject({ code: "Throttled", nothingSent: true, retryAfterMs: 7000 });
  });

  test.each(["cut-before", "cut-after"] as const)("%s is unknown", async (is) => {
    google.fake.breakNext(/^POST .*changes/, { is });
    expect(await applyOnce(google.session, [create(address("a"))])).toMatchObject([
      { status: "unknown" },
    ]);
  });

  test("an answer that breaks off after the change was made is unknown", async () => {
    google.fake.breakNext(/^POST .*changes/, { is: "half" });
    expect(await applyOnce(google.session, [create(address("a"))])).toMatchObject([
      { status: "unknown" },
    ]);
    expect(values("a")).toEqual(["192.0.2.1"]);
  });

  test.each([
    [200, "{}"],
    [200, '{"kind":"dns#resourceRecordSetsListResponse"}'],
    [200, '{"rrsets":null}'],
    [200, '{"rrsets":[]}'],
    [200, ""],
    [403, errorBody(403, "forbidden", "Forbidden")],
  ])("a reading that answers %i %s is no empty zone", async (status, body) => {
    const known = await zoneOf(google.session);
    google.fake.breakNext(/^GET .*rrsets/, { is: "refused", status, body });
    await expect(google.session.records(known, null, soon())).rejects.toMatchObject({
      name: "OperationError",
      code: status === 403 ? "ProviderCredentials" : "ProviderUnavailable",
    });
  });

  test("a name without records may have no list in its answer", async () => {
    google.fake.leavesOutEmptyLists = true;
    const known = await zoneOf(google.session);
    const { sets } = await google.session.records(known, [address("none").name], soon());
    expect(sets).toEqual([]);
  });

  test.each(["{}", '{"managedZones":null}', '{"managedZones":{}}', "[]"])(
    "a listing of zones that answers %s is not empty",
    async (body) => {
      google.fake.breakNext(/^GET .*managedZones\?/, { is: "refused", status: 200, body });
      await expect(google.session.zones(soon())).rejects.toMatchObject({
        code: "ProviderUnavailable",
      });
    },
  );

  test("a pause holds what writes, and nothing else", async () => {
    const paused = openGoogle(google, { writeGate: () => "paused by a test" });
    const known = await zoneOf(paused);
    const sent = applyOnce(paused, [create(address("a"))]);
    await expect(sent).rejects.toMatchObject({ code: "Paused" });
    await paused.records(known, null, soon());
    expect(seen()).toEqual(["GET"]);
    paused.close();
  });
});
