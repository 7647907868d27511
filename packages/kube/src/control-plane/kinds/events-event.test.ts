import { beforeEach, describe, expect, test } from "vitest";
import { CORE, TestApi } from "../../../../../test/support/clients/control-plane-api.ts";
import { type JsonObject, listAt, valueAt } from "../json/json.ts";

const NEW = "/apis/events.k8s.io/v1/namespaces/default/events";
const OLD = `${CORE}/events`;
const regarding = { kind: "DNSEntry", namespace: "default", name: "www" };
/** As the recorder of client-go writes it. */
const event: JsonObject = {
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  metadata: { name: "www.1" },
  eventTime: "2020-01-02T03:04:05.000001Z",
  reportingController: "dns",
  reportingInstance: "dns-1",
  action: "Publish",
  reason: "Done",
  regarding,
  note: "published",
  type: "Normal",
  deprecatedFirstTimestamp: null,
};

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});

describe("an Event of events.k8s.io/v1", () => {
  beforeEach(() => api.made(api.post(NEW, event)));

  test("is answered as it was sent", async () => {
    const { deprecatedFirstTimestamp: _none, metadata: _meta, ...sent } = event;
    expect(await api.made(api.get(`${NEW}/www.1`))).toMatchObject(sent);
  });

  test("is the same object in core/v1, under its older names", async () => {
    const shown = await api.made(api.get(`${OLD}/www.1`));
    expect(shown).toMatchObject({
      apiVersion: "v1",
      involvedObject: regarding,
      message: "published",
      reportingComponent: "dns",
    });
    expect(Object.keys(shown)).not.toContain("note");
    expect((await api.post(NEW, event)).status).toBe(409);
    const deleted = await api.delete(`${OLD}/www.1`);
    expect(deleted.status).toBe(200);
    expect((await api.get(`${NEW}/www.1`)).status).toBe(404);
  });

  test("gets its series by strategic merge patch, also when core/v1 has changed it", async () => {
    await api.made(api.patch(`${OLD}/www.1`, { message: "again", count: 2 }));
    const series = { count: 3, lastObservedTime: "2026-01-02T03:05:05.000000Z" };
    const patched = await api.made(
      api.patch(`${NEW}/www.1`, { series }, "strategic-merge-patch+json"),
    );
    expect(patched).toMatchObject({ note: "again", deprecatedCount: 2, series });
    expect(await api.made(api.get(`${OLD}/www.1`))).toMatchObject({ message: "again", series });
  });

  test("is listed with core/v1 Events, and selected by the names of the group", async () => {
    await api.made(
      api.post(OLD, {
        metadata: { name: "old.1" },
        involvedObject: { ...regarding, name: "old" },
        message: "x",
      }),
    );
    const names = async (path: string): Promise<unknown> =>
      listAt(await api.made(api.get(path)), "items").map((each) => [
        valueAt(each, "metadata", "name"),
        valueAt(each, "note"),
      ]);
    expect(await names(NEW)).toEqual([
      ["old.1", "x"],
      ["www.1", "published"],
    ]);
    expect(await names(`${NEW}?fieldSelector=regarding.name%3Dold`)).toEqual([["old.1", "x"]]);
    expect((await api.get(`${NEW}?fieldSelector=involvedObject.name%3Dold`)).status).toBe(400);
  });

  test("is seen by watches of both groups, each under its own names", async () => {
    const [old, now] = [await api.watch(`${OLD}?watch=true`), await api.watch(`${NEW}?watch=true`)];
    expect(await old.next()).toMatchObject({ object: { message: "published" } });
    expect(await now.next()).toMatchObject({ object: { note: "published" } });
    await api.made(api.patch(`${OLD}/www.1`, { message: "again" }));
    expect(await old.next()).toMatchObject({ object: { apiVersion: "v1", message: "again" } });
    expect(await now.next()).toMatchObject({
      object: { apiVersion: "events.k8s.io/v1", note: "again" },
    });
    await old.close();
    await now.close();
  });

  test("is shown as a row of the same columns", async () => {
    const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    const [old, now] = [await api.get(OLD, table), await api.get(NEW, table)];
    const cells = valueAt(listAt(now.body, "rows")[0], "cells");
    expect(cells).toContain("dnsentry/www");
    expect(cells).toEqual(valueAt(listAt(old.body, "rows")[0], "cells"));
  });

  test("expires", async () => {
    await api.clock.advance(3_700_000);
    expect((await api.get(`${NEW}/www.1`)).status).toBe(404);
  });
});

describe("an Event of events.k8s.io/v1 is refused", () => {
  test.each<[string, JsonObject, readonly string[]]>([
    ["without a time", { eventTime: null, reportingController: "" }, ["eventTime: Required value"]],
    [
      "without what a recorder says",
      { reportingController: "", reportingInstance: "", action: "", reason: "" },
      ["reportingController", "reportingInstance", "action", "reason"].map(
        (field) => `${field}: Required value`,
      ),
    ],
    [
      "with a controller that is no qualified name",
      { reportingController: "a b" },
      ["reportingController: Invalid value"],
    ],
    [
      "with long texts",
      { action: "x".repeat(129), reportingInstance: "x".repeat(129), note: "x".repeat(1025) },
      [
        'action: Invalid value: "": can have at most 128 characters',
        "reportingInstance: Invalid value",
        'message: Invalid value: "": can have at most 1024 characters',
      ],
    ],
    ["with another type", { type: "Loud" }, ['type: Invalid value: "": has invalid value: Loud']],
    [
      "with older fields",
      {
        deprecatedFirstTimestamp: "2026-01-02T03:04:05Z",
        deprecatedCount: 1,
        deprecatedSource: { component: "x" },
      },
      ["firstTimestamp", "count", "source"].map(
        (field) => `${field}: Invalid value: "": needs to be unset`,
      ),
    ],
    ["as a series of one", { series: { count: 1 } }, ["should be at least 2", "lastObservedTime"]],
    ["with a name that is no subdomain", { metadata: { name: "A_B" } }, ["metadata.name"]],
  ])("%s", async (_what, more, faults) => {
    const { status, body } = await api.post(NEW, { ...event, ...more });
    expect(status).toBe(422);
    for (const fault of faults) expect(valueAt(body, "message")).toContain(fault);
  });

  test("when it changes more than its series and metadata", async () => {
    await api.made(api.post(NEW, event));
    const patched = await api.patch(`${NEW}/www.1`, { note: "other", reportingController: "x" });
    expect(patched.status).toBe(422);
    expect(valueAt(patched.body, "message")).toMatch(
      /message: .*field is immutable.*reportingController: .*field is immutable/,
    );
    await api.made(api.patch(`${NEW}/www.1`, { metadata: { labels: { a: "b" } } }));
  });
});

describe("the namespace of an Event", () => {
  const about = (namespace: string) => ({ ...regarding, namespace });
  const old = { metadata: { name: "old.1" }, involvedObject: about("team") };
  test.each<[string, string, JsonObject, number]>([
    ["without a time is that of its object", OLD, old, 422],
    ["with a time may be another one", NEW, { ...event, regarding: about("team") }, 201],
    ["is default for objects without one", NEW, { ...event, regarding: { name: "x" } }, 201],
  ])("%s", async (_what, path, body, status) => {
    expect((await api.post(path, body)).status).toBe(status);
  });
});
