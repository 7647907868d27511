import { beforeEach, describe, expect, test } from "vitest";
import { ENTRIES, entry, TestApi } from "../../../../test/support/clients/control-plane-api.ts";
import { type JsonObject, listAt, textAt, valueAt } from "./json/json.ts";

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});

const WWW = `${ENTRIES}/www`;
const TEAM = "/api/v1/namespaces/team";
const team = { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } };
const teamEntries = ENTRIES.replace("default", "team");
const held = (name: string, ...finalizers: readonly string[]): JsonObject => ({
  ...entry(name),
  metadata: { name, finalizers },
});
const finalizersOf = async (path: string): Promise<unknown> =>
  valueAt(await api.made(api.get(path)), "metadata", "finalizers");

describe("options of a deletion", () => {
  beforeEach(() => api.made(api.post(ENTRIES, entry("www"))));

  test.each([
    [
      { propagationPolicy: "Odd" },
      'propagationPolicy: Unsupported value: "Odd": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      { propagationPolicy: "Orphan", orphanDependents: false },
      "orphanDependents and deletionPropagation cannot be both set",
    ],
    [{ dryRun: ["Some"] }, 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
  ])("%j is 422", async (options, message) => {
    const answer = await api.delete(WWW, options);
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain('DeleteOptions.meta.k8s.io "" is invalid');
    expect(textAt(answer.body, "message")).toContain(message);
  });

  test("a body of another kind is 400", async () => {
    expect((await api.delete(WWW, entry("www"))).status).toBe(400);
    expect((await api.delete(WWW, [])).status).toBe(400);
  });

  // kubectl delete --dry-run=server says so in the body.
  test.each([
    ["body", WWW, { kind: "DeleteOptions", apiVersion: "v1", dryRun: ["All"] }],
    ["query", `${WWW}?dryRun=All`, undefined],
    ["collection", ENTRIES, { dryRun: ["All"] }],
  ])("a dry run by %s deletes nothing", async (_name, path, body) => {
    expect((await api.delete(path, body)).status).toBe(200);
    expect((await api.get(WWW)).status).toBe(200);
  });

  test.each([
    ["dryRun=all", undefined],
    ["propagationPolicy=", undefined],
    ["gracePeriodSeconds=x", undefined],
    ["dryRun=All&dryRun=x", undefined],
    ["dryRun=x", { kind: "DeleteOptions", apiVersion: "v1" }],
    ["", { kind: "DeleteOptions", apiVersion: "v1", dryRun: "All" }],
    ["", { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: 1 } }],
    ["", { kind: "DeleteOptions", apiVersion: "v1", preconditions: "x" }],
    ["", { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: 1 }],
  ])("options that cannot be read (?%s %j) delete nothing", async (query, body) => {
    for (const path of [WWW, ENTRIES])
      expect((await api.delete(`${path}?${query}`, body)).status).toBeOneOf([400, 422]);
    expect((await api.get(WWW)).status).toBe(200);
  });

  test("preconditions tell what does not match", async () => {
    const { metadata } = await api.made(api.get(WWW));
    const uid = await api.delete(WWW, { preconditions: { uid: "u" } });
    expect(uid.status).toBe(409);
    expect(textAt(uid.body, "message")).toContain(
      `the UID in the precondition (u) does not match the UID in record (${textAt(metadata, "uid")})`,
    );
    const version = await api.delete(WWW, { preconditions: { resourceVersion: "1" } });
    expect(textAt(version.body, "message")).toContain(
      "the ResourceVersion in the precondition (1) does not match the ResourceVersion in record",
    );
    const both = {
      uid: textAt(metadata, "uid"),
      resourceVersion: textAt(metadata, "resourceVersion"),
    };
    expect((await api.delete(WWW, { preconditions: both })).status).toBe(200);
  });

  test.each([
    ["uid=u", undefined],
    ["resourceVersion=1", undefined],
    ["", { preconditions: { uid: "" } }],
  ])("preconditions by the query, and an empty one, are kept: ?%s %j", async (query, body) => {
    expect((await api.delete(`${WWW}?${query}`, body)).status).toBe(409);
  });

  test("a grace period is taken and not waited for", async () => {
    expect((await api.delete(WWW, { gracePeriodSeconds: 30 })).status).toBe(200);
    expect((await api.get(WWW)).status).toBe(404);
  });
});

describe("propagation", () => {
  const dependents = async (): Promise<void> => {
    const owner = await api.made(api.post(ENTRIES, held("www", "example.org/hold")));
    const ownerReferences = [
      {
        apiVersion: "dns.gardener.cloud/v1alpha1",
        kind: "DNSEntry",
        name: "www",
        uid: textAt(owner, "metadata", "uid"),
      },
    ];
    const child = { ...entry("child"), metadata: { name: "child", ownerReferences } };
    await api.made(api.post(ENTRIES, child));
  };

  test("in the query, without a body", async () => {
    await dependents();
    await api.made(api.delete(`${WWW}?propagationPolicy=Orphan`));
    await api.plane.settled();
    expect(await finalizersOf(WWW)).toEqual(["example.org/hold"]);
    const child = await api.made(api.get(`${ENTRIES}/child`));
    expect(valueAt(child, "metadata", "ownerReferences")).toBeUndefined();
  });

  test("a later request decides anew, also when the object is going already", async () => {
    await api.made(api.post(ENTRIES, held("www", "example.org/hold", "orphan")));
    const patch = { metadata: { finalizers: ["example.org/hold"] } };
    await api.made(api.delete(WWW, { propagationPolicy: "Background" }));
    expect(await finalizersOf(WWW)).toEqual(["example.org/hold"]);
    const before = valueAt(await api.made(api.get(WWW)), "metadata", "deletionTimestamp");
    await api.clock.advance(5000);
    await api.made(api.delete(WWW));
    const again = await api.made(api.get(WWW));
    expect(valueAt(again, "metadata", "deletionTimestamp")).toBe(before);
    await api.made(api.patch(WWW, patch));
    await api.made(api.patch(WWW, { metadata: { finalizers: [] } }));
    expect((await api.get(WWW)).status).toBe(404);
  });

  test("without a word the finalizers of the object decide", async () => {
    await api.made(api.post(ENTRIES, held("www", "foregroundDeletion", "example.org/hold")));
    const deleted = await api.made(api.delete(WWW));
    expect(valueAt(deleted, "metadata", "finalizers")).toContain("foregroundDeletion");
  });

  test("orphanDependents: false is Background", async () => {
    await api.made(api.post(ENTRIES, held("www", "orphan")));
    await api.made(api.delete(WWW, { orphanDependents: false }));
    expect((await api.get(WWW)).status).toBe(404);
  });
});

test("an object without a namespace is not lost for an owner that would need one (unresolvable, as since 1.20)", async () => {
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "gone", uid: "u-1" };
  const metadata = { name: "team", ownerReferences: [owner] };
  await api.made(api.post("/api/v1/namespaces", { ...team, metadata }));
  await api.plane.settled();
  expect(valueAt(await api.made(api.get(TEAM)), "metadata", "deletionTimestamp")).toBeUndefined();
});

describe("collections", () => {
  test("labels select, and what is not selected stays", async () => {
    const labelled = (name: string, app: string) => ({
      ...entry(name),
      metadata: { name, labels: { app } },
    });
    for (const name of ["a", "b"]) await api.made(api.post(ENTRIES, labelled(name, "x")));
    await api.made(api.post(ENTRIES, labelled("c", "y")));
    const gone = await api.made(api.delete(`${ENTRIES}?labelSelector=app%3Dx`));
    expect(listAt(gone, "items")).toHaveLength(2);
    const left = await api.made(api.get(ENTRIES));
    expect(listAt(left, "items").map((each) => textAt(each, "metadata", "name"))).toEqual(["c"]);
  });
});

describe("a namespace that goes", () => {
  beforeEach(async () => {
    await api.made(api.post("/api/v1/namespaces", team));
    await api.made(api.post(teamEntries, held("a", "example.org/hold")));
    await api.made(api.post(teamEntries, entry("b")));
    await api.made(api.delete(TEAM));
    await api.plane.settled();
  });

  test("takes nothing new, with a cause that programs know", async () => {
    const answer = await api.post(teamEntries, entry("c"));
    expect(answer.body).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message:
        'dnsentries.dns.gardener.cloud "c" is forbidden: unable to create new content in namespace team because it is being terminated',
      details: {
        causes: [
          {
            reason: "NamespaceTerminating",
            message: "namespace team is being terminated",
            field: "metadata.namespace",
          },
        ],
      },
    });
    const path = `${teamEntries}/c?fieldManager=me`;
    expect((await api.patch(path, entry("c"), "apply-patch+yaml")).status).toBe(403);
  });

  test("stays while an object in it has finalizers, and goes with the last one", async () => {
    const namespace = await api.made(api.get(TEAM));
    expect(textAt(namespace, "status", "phase")).toBe("Terminating");
    expect((await api.get(`${teamEntries}/b`)).status).toBe(404);
    await api.made(api.patch(`${teamEntries}/a`, { metadata: { finalizers: null } }));
    await api.plane.settled();
    expect((await api.get(TEAM)).status).toBe(404);
  });

  test("stays while it has a finalizer itself", async () => {
    await api.made(
      api.post("/api/v1/namespaces", {
        ...team,
        metadata: { name: "other", finalizers: ["example.org/ns"] },
      }),
    );
    await api.made(api.delete("/api/v1/namespaces/other"));
    await api.plane.settled();
    const other = await api.made(api.get("/api/v1/namespaces/other"));
    expect(textAt(other, "status", "phase")).toBe("Terminating");
  });
});
