import { beforeEach, describe, expect, test } from "vitest";
import { CORE, TestApi } from "../../../../test/support/clients/control-plane-api.ts";
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
    await api.made(api.patch(`${NEW}/www.1`, { note: "again" }));
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

test("an Event in another namespace than its object's is refused", async () => {
  const elsewhere = { ...event, regarding: { ...regarding, namespace: "team" } };
  expect((await api.post(NEW, elsewhere)).status).toBe(422);
});
