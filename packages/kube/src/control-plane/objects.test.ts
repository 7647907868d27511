import { beforeEach, describe, expect, test } from "vitest";
import {
  CORE,
  ENTRIES,
  entry,
  service,
  TestApi,
} from "../../../../test/support/clients/control-plane-api.ts";
import { listAt, objectAt, textAt, valueAt } from "./json/json.ts";

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});
const meta = (object: unknown, field: string): unknown => valueAt(object, "metadata", field);

describe("create", () => {
  test("gives uid, time, revision and generation", async () => {
    const created = await api.made(api.post(ENTRIES, entry("a")));
    expect(created).toMatchObject({
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSEntry",
      metadata: {
        name: "a",
        namespace: "default",
        generation: 1,
        creationTimestamp: "2026-01-01T00:00:00Z",
      },
      spec: { dnsName: "a.example.org", targets: ["192.0.2.1"] },
    });
    expect(meta(created, "uid")).toMatch(/^[0-9a-f-]{36}$/);
    expect(meta(created, "resourceVersion")).toMatch(/^\d+$/);
  });

  test("a second object of the same name is refused", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const answer = await api.post(ENTRIES, entry("a"));
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      kind: "Status",
      status: "Failure",
      reason: "AlreadyExists",
      message: 'dnsentries.dns.gardener.cloud "a" already exists',
    });
  });

  test("twenty at once: exactly one wins", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.post(ENTRIES, entry("a"))),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(19);
  });

  test("generateName is completed", async () => {
    const body = { ...entry("x"), metadata: { generateName: "echo-" } };
    const created = await api.made(api.post(ENTRIES, body));
    expect(meta(created, "name")).toMatch(/^echo-[a-z0-9]{5}$/);
  });

  test("status is not taken where it is a subresource", async () => {
    const created = await api.made(
      api.post(ENTRIES, { ...entry("a"), status: { state: "Ready" } }),
    );
    expect(created["status"], "the default of the definition").toEqual({ observedGeneration: -1 });
  });

  test.each([
    ["Bad_Name", 'metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain'],
    ["", "metadata.name: Required value: name or generateName is required"],
    ["x".repeat(254), "must be no more than 253 characters"],
  ])("the name %j is refused", async (name, text) => {
    const answer = await api.post(ENTRIES, entry(name));
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain(text);
  });

  test("a namespace that is not there is 404", async () => {
    const answer = await api.post(ENTRIES.replace("default", "nowhere"), entry("a"));
    expect(answer.status).toBe(404);
    expect(answer.body["message"]).toBe('namespaces "nowhere" not found');
  });

  test("a namespace that contradicts the path is 400", async () => {
    const body = { ...entry("a"), metadata: { name: "a", namespace: "other" } };
    expect((await api.post(ENTRIES, body)).status).toBe(400);
  });

  test("dry run answers and keeps nothing", async () => {
    expect((await api.post(`${ENTRIES}?dryRun=All`, entry("a"))).status).toBe(201);
    expect((await api.get(`${ENTRIES}/a`)).status).toBe(404);
    expect((await api.post(`${ENTRIES}?dryRun=Some`, entry("a"))).status).toBe(422);
  });
});

describe("update", () => {
  test("the generation counts changes of the spec only", async () => {
    const created = await api.made(api.post(ENTRIES, entry("a")));
    const labelled = await api.made(
      api.patch(`${ENTRIES}/a`, { metadata: { labels: { x: "y" } } }),
    );
    expect(meta(labelled, "generation")).toBe(1);
    const changed = await api.made(api.patch(`${ENTRIES}/a`, { spec: { ttl: 60 } }));
    expect(meta(changed, "generation")).toBe(2);
    expect(Number(meta(changed, "resourceVersion"))).toBeGreaterThan(
      Number(meta(created, "resourceVersion")),
    );
  });

  test("a write that changes nothing keeps the revision", async () => {
    const created = await api.made(api.post(ENTRIES, entry("a")));
    const again = await api.made(api.put(`${ENTRIES}/a`, created));
    expect(again).toEqual(created);
    const list = await api.made(api.get(ENTRIES));
    expect(meta(list, "resourceVersion")).toBe(meta(created, "resourceVersion"));
  });

  test("another version is a conflict", async () => {
    const created = await api.made(api.post(ENTRIES, entry("a")));
    await api.made(api.patch(`${ENTRIES}/a`, { spec: { ttl: 60 } }));
    const answer = await api.put(`${ENTRIES}/a`, {
      ...created,
      spec: { dnsName: "b.example.org" },
    });
    expect(answer.status).toBe(409);
    expect(answer.body["reason"]).toBe("Conflict");
    expect(textAt(answer.body, "message")).toContain("the object has been modified");
  });

  test("without a version the last writer of a Service wins, and it stays where it is", async () => {
    await api.made(api.post(`${CORE}/services`, service("s")));
    const other = service("s", { externalIPs: ["192.0.2.9"] });
    const changed = await api.made(api.put(`${CORE}/services/s`, other));
    expect(changed).toMatchObject({
      metadata: { namespace: "default" },
      spec: { externalIPs: ["192.0.2.9"] },
    });
    const found = await api.made(api.get(`${CORE}/services/s`));
    expect(found).toEqual(changed);
  });

  test("custom objects and Leases are never replaced without a version", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const blind = await api.put(`${ENTRIES}/a`, entry("a", { ttl: 77 }));
    expect(blind.status).toBe(422);
    expect(textAt(blind.body, "message")).toContain("metadata.resourceVersion");
  });

  test("main and status do not touch each other", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const status = await api.made(
      api.patch(`${ENTRIES}/a/status`, { spec: { ttl: 99 }, status: { state: "Ready" } }),
    );
    expect(status).toMatchObject({ metadata: { generation: 1 }, status: { state: "Ready" } });
    expect(valueAt(status, "spec", "ttl")).toBeUndefined();
    const main = await api.made(
      api.patch(`${ENTRIES}/a`, { spec: { ttl: 99 }, status: { state: "Error" } }),
    );
    expect(main).toMatchObject({ spec: { ttl: 99 }, status: { state: "Ready" } });
    const put = await api.made(api.put(`${ENTRIES}/a/status`, { ...main, status: { zone: "z" } }));
    expect(put["status"]).toEqual({ zone: "z" });
    const { resourceVersion } = objectAt(put, "metadata");
    const bare = { ...entry("a"), metadata: { name: "a", resourceVersion } };
    const removed = await api.made(api.put(`${ENTRIES}/a`, bare));
    expect(removed["status"]).toEqual({ zone: "z" });
  });

  test("what is not there cannot be changed", async () => {
    expect((await api.put(`${ENTRIES}/a`, entry("a"))).status).toBe(404);
    expect((await api.patch(`${ENTRIES}/a`, {})).status).toBe(404);
  });

  test("name, uid and creation time stay", async () => {
    const created = await api.made(api.post(ENTRIES, entry("a")));
    expect((await api.put(`${ENTRIES}/a`, entry("b"))).status).toBe(400);
    const { resourceVersion } = objectAt(created, "metadata");
    const otherUid = { ...created, metadata: { name: "a", uid: "other", resourceVersion } };
    expect((await api.put(`${ENTRIES}/a`, otherUid)).status).toBe(409);
    const renamed = await api.patch(`${ENTRIES}/a`, { metadata: { name: "b" } });
    expect(renamed.status).toBe(400);
    const patched = await api.made(
      api.patch(`${ENTRIES}/a`, { metadata: { creationTimestamp: "2020-01-01T00:00:00Z" } }),
    );
    expect(patched).toEqual(created);
  });

  test("a time is the same with and without milliseconds, as JavaScript clients send it", async () => {
    const made = await api.made(api.post(ENTRIES, entry("a")));
    const creationTimestamp = String(meta(made, "creationTimestamp")).replace("Z", ".000Z");
    const metadata = { ...objectAt(made, "metadata"), creationTimestamp };
    const again = await api.made(api.put(`${ENTRIES}/a`, { ...made, metadata }));
    expect(again).toEqual(made);
  });

  test("nulls in metadata are absent, as Go clients send them", async () => {
    const nulls = { creationTimestamp: null, deletionTimestamp: null, labels: null };
    const object = { ...entry("a"), metadata: { name: "a", ...nulls, managedFields: null } };
    const made = await api.made(api.post(ENTRIES, object));
    const resourceVersion = meta(made, "resourceVersion");
    const versioned = { ...object, metadata: { ...object.metadata, resourceVersion } };
    const put = await api.made(api.put(`${ENTRIES}/a`, versioned));
    const path = `${ENTRIES}/a?fieldManager=me`;
    const applied = await api.made(api.patch(path, object, "apply-patch+yaml"));
    for (const each of [put, applied])
      expect(meta(each, "creationTimestamp")).toBe(meta(made, "creationTimestamp"));
    expect(applied["metadata"]).not.toHaveProperty("deletionTimestamp");
  });

  test("status of a kind without status is no path", async () => {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } };
    await api.made(api.post(`${CORE}/secrets`, secret));
    expect((await api.patch(`${CORE}/secrets/s/status`, {})).status).toBe(404);
  });
});

describe("delete", () => {
  test("answers success with the uid", async () => {
    const created = await api.made(api.post(ENTRIES, entry("a")));
    const deleted = await api.made(api.delete(`${ENTRIES}/a`));
    expect(deleted).toMatchObject({
      kind: "Status",
      status: "Success",
      details: { name: "a", kind: "dnsentries", uid: meta(created, "uid") },
    });
    expect((await api.get(`${ENTRIES}/a`)).status).toBe(404);
    expect((await api.delete(`${ENTRIES}/a`)).status).toBe(404);
  });

  test("finalizers hold the object; the last one lets it go", async () => {
    await api.made(
      api.post(ENTRIES, { ...entry("a"), metadata: { name: "a", finalizers: ["x/y", "x/z"] } }),
    );
    const marked = await api.made(api.delete(`${ENTRIES}/a`));
    expect(meta(marked, "deletionTimestamp")).toBe("2026-01-01T00:00:00Z");
    expect(meta(marked, "generation")).toBe(2);
    await api.clock.advance(5000);
    expect(await api.made(api.delete(`${ENTRIES}/a`))).toEqual(marked);
    await api.made(api.patch(`${ENTRIES}/a`, { metadata: { finalizers: ["x/z"] } }));
    expect((await api.get(`${ENTRIES}/a`)).status).toBe(200);
    const added = await api.patch(`${ENTRIES}/a`, { metadata: { finalizers: ["x/z", "x/new"] } });
    expect(added.status).toBe(422);
    await api.made(api.patch(`${ENTRIES}/a`, { metadata: { finalizers: null } }));
    expect((await api.get(`${ENTRIES}/a`)).status).toBe(404);
  });

  test("preconditions are compared", async () => {
    const created = await api.made(api.post(ENTRIES, entry("a")));
    const wrong = await api.delete(`${ENTRIES}/a`, { preconditions: { uid: "other" } });
    expect(wrong.status).toBe(409);
    const old = await api.delete(`${ENTRIES}/a`, { preconditions: { resourceVersion: "1" } });
    expect(old.status).toBe(409);
    const { uid, resourceVersion } = objectAt(created, "metadata");
    const right = await api.delete(`${ENTRIES}/a`, { preconditions: { uid, resourceVersion } });
    expect(right.status).toBe(200);
  });

  test("a collection goes by selector", async () => {
    for (const name of ["a", "b", "c"])
      await api.made(
        api.post(ENTRIES, {
          ...entry(name),
          metadata: { name, labels: { half: name < "c" ? "1" : "2" } },
        }),
      );
    const gone = await api.made(api.delete(`${ENTRIES}?labelSelector=half%3D1`));
    expect(listAt(gone, "items")).toHaveLength(2);
    const left = await api.made(api.get(ENTRIES));
    expect(listAt(left, "items").map((item) => meta(item, "name"))).toEqual(["c"]);
  });

  test("not all namespaces at once, nor what is in all of them", async () => {
    expect((await api.delete("/api/v1/namespaces")).status).toBe(405);
    expect((await api.delete(ENTRIES.replace("/namespaces/default", ""))).status).toBe(405);
  });

  test("dry run deletes nothing", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    await api.made(api.delete(`${ENTRIES}/a?dryRun=All`));
    expect((await api.get(`${ENTRIES}/a`)).status).toBe(200);
  });
});

describe("namespaces", () => {
  const NAMESPACES = "/api/v1/namespaces";
  const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

  test("three are there from the start and stay", async () => {
    const list = await api.made(api.get(NAMESPACES));
    const names = listAt(list, "items").map((item) => meta(item, "name"));
    expect(names).toEqual(["default", "kube-public", "kube-system"]);
    expect((await api.delete(`${NAMESPACES}/default`)).status).toBe(403);
    const system = await api.made(api.get(`${NAMESPACES}/kube-system`));
    expect(meta(system, "uid")).toBe(api.plane.clusterId);
  });

  test("a deleted one is emptied and goes", async () => {
    await api.made(api.post(NAMESPACES, namespace("team")));
    const inTeam = ENTRIES.replace("default", "team");
    await api.made(api.post(inTeam, entry("a")));
    await api.made(
      api.post(inTeam, { ...entry("held"), metadata: { name: "held", finalizers: ["x/y"] } }),
    );
    const marked = await api.made(api.delete(`${NAMESPACES}/team`));
    expect(textAt(marked, "status", "phase")).toBe("Terminating");
    await api.plane.settled();
    expect((await api.get(`${inTeam}/a`)).status).toBe(404);
    expect(meta((await api.get(`${inTeam}/held`)).body, "deletionTimestamp")).toBeDefined();
    const refused = await api.post(inTeam, entry("b"));
    expect(refused.status).toBe(403);
    expect(textAt(refused.body, "message")).toContain("because it is being terminated");
    expect((await api.get(`${NAMESPACES}/team`)).status).toBe(200);
    await api.made(api.patch(`${inTeam}/held`, { metadata: { finalizers: null } }));
    await api.plane.settled();
    expect((await api.get(`${NAMESPACES}/team`)).status).toBe(404);
  });
});

describe("garbage collection", () => {
  const owned = (name: string, owner: unknown, extra: object = {}) => ({
    ...entry(name),
    metadata: {
      name,
      ownerReferences: [
        {
          apiVersion: "v1",
          kind: "Service",
          name: meta(owner, "name"),
          uid: meta(owner, "uid"),
          ...extra,
        },
      ],
    },
  });

  test("what a deleted object owns goes too", async () => {
    const owner = await api.made(api.post(`${CORE}/services`, service("s")));
    await api.made(api.post(ENTRIES, owned("a", owner)));
    await api.plane.settled();
    expect((await api.get(`${ENTRIES}/a`)).status).toBe(200);
    await api.made(api.delete(`${CORE}/services/s`, { propagationPolicy: "Background" }));
    await api.plane.settled();
    expect((await api.get(`${ENTRIES}/a`)).status).toBe(404);
  });

  test("an owner of the same name with another uid is another owner", async () => {
    await api.made(api.post(`${CORE}/services`, service("s")));
    await api.made(api.post(ENTRIES, owned("a", { metadata: { name: "s", uid: "old" } })));
    await api.plane.settled();
    expect((await api.get(`${ENTRIES}/a`)).status).toBe(404);
  });

  test("an owner of a kind that is not served is unknown, not gone", async () => {
    const body = owned("a", { metadata: { name: "s", uid: "u" } }, { apiVersion: "apps/v1" });
    await api.made(api.post(ENTRIES, body));
    await api.plane.settled();
    expect((await api.get(`${ENTRIES}/a`)).status).toBe(200);
  });

  test("orphans stay and lose the reference", async () => {
    const owner = await api.made(api.post(`${CORE}/services`, service("s")));
    await api.made(api.post(ENTRIES, owned("a", owner)));
    await api.made(api.delete(`${CORE}/services/s`, { propagationPolicy: "Orphan" }));
    await api.plane.settled();
    expect((await api.get(`${CORE}/services/s`)).status).toBe(404);
    const left = await api.made(api.get(`${ENTRIES}/a`));
    expect(listAt(left, "metadata", "ownerReferences")).toEqual([]);
  });

  test("foreground waits for dependents that block", async () => {
    const owner = await api.made(api.post(`${CORE}/services`, service("s")));
    const body = owned("a", owner, { blockOwnerDeletion: true });
    await api.made(
      api.post(ENTRIES, { ...body, metadata: { ...body.metadata, finalizers: ["x/y"] } }),
    );
    await api.made(api.delete(`${CORE}/services/s`, { propagationPolicy: "Foreground" }));
    await api.plane.settled();
    expect((await api.get(`${CORE}/services/s`)).status).toBe(200);
    await api.made(api.patch(`${ENTRIES}/a`, { metadata: { finalizers: null } }));
    await api.plane.settled();
    expect((await api.get(`${CORE}/services/s`)).status).toBe(404);
    expect((await api.get(`${ENTRIES}/a`)).status).toBe(404);
  });
});

describe("events", () => {
  test("go an hour after they were last seen", async () => {
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e" },
      involvedObject: { kind: "DNSEntry", name: "a", namespace: "default" },
      lastTimestamp: "2026-01-01T00:30:00Z",
    };
    await api.made(api.post(`${CORE}/events`, event));
    await api.clock.advance(80 * 60_000);
    expect((await api.get(`${CORE}/events/e`)).status).toBe(200);
    await api.clock.advance(12 * 60_000);
    expect((await api.get(`${CORE}/events/e`)).status).toBe(404);
  });
});
