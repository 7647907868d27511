/** Which requests are counted, and that the session stays what it is. */
import { expect, test } from "vitest";
import { nameOf } from "../../../test/support/values/zone-text.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import type { ProviderSession } from "../../providers/provider.ts";
import { countedSession } from "./counted-session.ts";

const ZONE = { id: "Z1", name: nameOf("@"), providerType: "t", endpoint: "", view: "" };
const { signal } = new AbortController();

/** Listings have three pages. */
class PagedSession {
  readonly capabilities: object;
  #before: () => Promise<void> = async () => undefined;

  constructor(atomicity: "zone" | "set" | "value") {
    this.capabilities = { atomicity };
  }

  pace(before: () => Promise<void>): void {
    this.#before = before;
  }

  async zones() {
    await this.#pages();
    return [ZONE];
  }

  async records() {
    await this.#pages();
    return { sets: [], token: null, pages: 3 };
  }

  async changeToken() {
    return "1";
  }

  async changesSince() {
    throw new Error("refused");
  }

  async *apply() {}

  async #pages(): Promise<void> {
    await this.#before();
    await this.#before();
  }
}

function counted(inner: PagedSession | object) {
  const counts: Record<string, number> = {};
  const session = countedSession(inner as unknown as ProviderSession, (request, zone, by = 1) => {
    const key = zone === null ? request : `${request} ${zone}`;
    counts[key] = (counts[key] ?? 0) + by;
  });
  return { session, counts };
}

const set = { name: nameOf("a"), type: "A", setIdentifier: null, ttlSeconds: 1, values: [] };
const GROUPS = [
  { name: set.name, changes: [{ op: "remove" }, { op: "create" }] },
  { name: set.name, changes: [{ op: "replace" }, { op: "create" }] },
] as unknown as readonly ChangeGroup[];

test("listings count with their further pages, failed calls count too", async () => {
  const { session, counts } = counted(new PagedSession("zone"));
  let paced = 0;
  session.pace?.(async () => {
    paced += 1;
  });
  await session.zones(signal);
  await session.records(ZONE, null, signal);
  await session.changeToken?.(ZONE, signal);
  await expect(session.changesSince?.(ZONE, "1", signal)).rejects.toThrow("refused");
  expect(paced, "the budget is still asked before each further page").toBe(4);
  expect(counts).toEqual({
    list_zones: 1,
    list_zones_pages: 2,
    "list_records Z1": 1,
    "list_records_pages Z1": 2,
    "get_change_token Z1": 1,
    "list_changes Z1": 1,
  });
});

test("a batch is one request; where each record set is one, it has the name of its change", () => {
  const batch = counted(new PagedSession("zone"));
  batch.session.apply(ZONE, GROUPS, signal);
  expect(batch.counts).toEqual({ "update_records Z1": 1 });
  const single = counted(new PagedSession("set"));
  single.session.apply(ZONE, GROUPS, signal);
  expect(single.counts).toEqual({
    "delete_records Z1": 1,
    "create_records Z1": 2,
    "update_records Z1": 1,
  });
});

test("methods that are missing stay missing", async () => {
  const given = new PagedSession("zone");
  const { session } = counted(Object.assign(given, { changeToken: undefined }));
  expect(session.changeToken).toBeUndefined();
  expect(session.propagationOf).toBeUndefined();
  expect(session.onChangeHint).toBeUndefined();
  expect(session.capabilitiesOf).toBeUndefined();
  const asked = counted({
    capabilities: {},
    propagationOf: async () => ({ is: "live" }),
    rateKey: "k",
  });
  expect(await asked.session.propagationOf?.(ZONE, "r", signal)).toEqual({ is: "live" });
  expect(asked.session.rateKey).toBe("k");
  expect(asked.session.pace).toBeUndefined();
  expect(asked.counts).toEqual({ "get_change Z1": 1 });
});
