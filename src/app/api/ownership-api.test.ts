import { type DnsName, isAtOrBelow, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterEach, expect, test } from "vitest";
import { asClients } from "../../../test/support/programs/client-text.ts";
import { instanceOf } from "../../../test/support/programs/idle-instance.ts";
import type {
  OwnershipOrder,
  OwnershipRow,
  ZoneOwnership,
} from "../../sync/contract/ownership-rows.ts";
import {
  OPEN_NAMES_HEADER,
  REFUSED_HEADER,
  SHOWN_HEADER,
  UNKNOWN_ZONES_HEADER,
} from "./exchange.ts";
import { type HttpApp, startHttpApp } from "./http-app.ts";

const KEY = { account: "a", zone: "example.org" };
const name = trustedDnsName("www.example.org");
let row: OwnershipRow;
let ordered: OwnershipOrder[];
/** Names that the instance was asked about, in their order; null = all. */
let askedFor: (string | null)[];
let trouble: string | null;
/** Why changes at the name wait, by type. */
let holds: { readonly type: string; readonly message: string }[];
let app: HttpApp | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});

/** How the instance takes an order: as it is told, not at all, or it is undone a moment later. */
type Manner = "obeys" | "does nothing" | "relapses";

/** An instance whose zone has one record of somebody who is gone. */
async function start(manner: Manner = "obeys") {
  row = {
    name,
    type: "A",
    setIdentifier: null,
    values: ["192.0.2.1"],
    whose: "another",
    owners: ["gone"],
    resource: null,
    marker: '["m"]',
    isPending: false,
    wantedBy: "dnsentry/a/b",
    isAdoptable: false,
    permit: null,
  };
  ordered = [];
  askedFor = [];
  trouble = null;
  holds = [];
  const zone = {
    id: "example.org",
    name: trustedDnsName("example.org"),
    providerType: "memory",
    endpoint: "",
    view: "",
  };
  let readsLeft = Number.POSITIVE_INFINITY;
  let relapse = row;
  const rights = async (names: ReadonlySet<DnsName> | null): Promise<readonly ZoneOwnership[]> => {
    askedFor.push(names === null ? null : [...names].join());
    if (readsLeft-- <= 0) row = relapse;
    if (names !== null && ![...names].some((one) => isAtOrBelow(one, zone.name))) return [];
    return [{ key: KEY, zone, owners: ["me"], adoption: "never", trouble, rows: [row] }];
  };
  app = await startHttpApp({
    at: { host: "127.0.0.1", port: 0 },
    token: "t0ken",
    instance: instanceOf({
      troubles: () => [{ provider: "default/dead", message: "no route" }],
      rights,
      explain: async () => {
        const shown = holds.map(({ type, message }) => ({ key: { ...row, type }, message }));
        return [{ holds: shown, lastOutcome: null } as never];
      },
      order: (_, requests) => {
        ordered.push(...requests);
        const before = row;
        const isReleased = requests.some(({ order }) => order.is === "release");
        if (manner !== "does nothing")
          row = isReleased
            ? { ...row, whose: "nobody", owners: [], marker: null }
            : { ...row, whose: "ours", owners: ["me"] };
        readsLeft = manner === "relapses" ? 2 : Number.POSITIVE_INFINITY;
        relapse = before;
        return true;
      },
    }),
  });
  const { port } = app.local;
  return async (path: string, method = "GET", token = "t0ken", body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/ownership${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return asClients(response, { accept: "text/plain" });
  };
}

test("a preview orders nothing; the order is for the exact marker, and is waited for", async () => {
  const ask = await start();
  const path = "/transfer?from=gone&to=me";
  const preview = await ask(path);
  expect([preview.headers.get(OPEN_NAMES_HEADER), ordered]).toEqual(["1", []]);
  expect(preview.text).toContain("1 to take over");
  const done = await ask(path, "POST");
  expect(done.text).toContain("1 of 1 done");
  expect(done.headers.get(OPEN_NAMES_HEADER)).toBe("0");
  expect(ordered.map(({ order }) => order)).toEqual([{ is: "transfer", marker: '["m"]' }]);
});

test("owners of records: of everything, of one name, or of records that no object wants", async () => {
  const ask = await start();
  expect((await ask("")).text).toContain("1 of gone");
  expect((await ask("?name=www.example.org")).headers.get(OPEN_NAMES_HEADER)).toBe("1");
  const orphans = await ask("?from=nobody");
  expect(orphans.headers.get(OPEN_NAMES_HEADER)).toBe("0");
  expect(orphans.text).toContain(
    "zone example.org: no orphans: of each owned record it is known which object here it is for\n",
  );
});

test.each([
  ["/transfer?from=gone", /^transfer: --to names no owner/],
  ["/transfer?from=&to=me", /^transfer: --from names no owner/],
  [
    "/transfer?from=gone&to=WRONG",
    /^--to "WRONG": this instance acts for me. Ask the instance that acts for "WRONG"/,
  ],
  ["/adopt", /^adopt needs names/],
  ["/adopt?from=", /^adopt needs names/],
  ["/remove?from=me", /^remove needs names/],
  [
    "/adopt?from=gone",
    /^--from "gone": this instance acts for me. Records of another owner are taken by zonekeeper tr/,
  ],
  ["/release?name=a..b", /^the name "a\.\.b" is no DNS name: .*empty/],
  ["/steal?name=www.example.org", /^"steal" is none of transfer, adopt, release, remove/],
  ["?name=a..b", /^the name "a\.\.b" is no DNS name/],
])("%s is refused, and the argument is named", async (path, message) => {
  const ask = await start();
  const answer = await ask(path);
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toEqual({
    code: "InvalidOption",
    message: expect.stringMatching(message),
  });
});

test("nothing without the token", async () => {
  const ask = await start();
  expect((await ask("/transfer?from=gone&to=me", "POST", "wrong")).status).toBe(401);
  expect(ordered).toEqual([]);
});

test("what is not done in time is told as open", async () => {
  const ask = await start("does nothing");
  await ask("/transfer?from=gone&to=me");
  const answer = await ask("/transfer?from=gone&to=me", "POST");
  expect(answer.headers.get(OPEN_NAMES_HEADER)).toBe("1");
  expect(answer.text).toContain("0 of 1 done");
});

test.each([
  [["AAAA", "A"], "A waits"],
  [["AAAA"], "not yet. See zonekeeper ownership show"],
])("with holds of %j, what is open says of its own type: %s", async (types, reason) => {
  const ask = await start("does nothing");
  holds = types.map((type) => ({ type, message: `${type} waits` }));
  await ask("/transfer?from=gone&to=me");
  expect((await ask("/transfer?from=gone&to=me", "POST")).text).toContain(reason);
});

test("an order without a look before is a look, and the second one is carried out", async () => {
  const ask = await start();
  const path = "/transfer?from=gone&to=me";
  const first = await ask(path, "POST");
  expect([first.headers.get(SHOWN_HEADER), ordered]).toEqual(["unseen", []]);
  expect(first.text).toContain("1 to take over");
  expect((await ask(path, "POST")).headers.get(SHOWN_HEADER)).toBeNull();
  expect(ordered).toHaveLength(1);
});

test("a record that somebody changed since the look is not adopted; the new one has to be looked at", async () => {
  const ask = await start();
  row = { ...row, whose: "nobody", owners: [], marker: null };
  const path = "/adopt?name=www.example.org";
  await ask(path);
  row = { ...row, values: ["198.51.100.9"] };
  const changed = await ask(path, "POST");
  expect([changed.headers.get(SHOWN_HEADER), ordered]).toEqual(["changed", []]);
  const text = changed.text;
  expect(text).toContain("198.51.100.9");
  expect(text).toContain("Nothing was done: it has changed since the preview");
  expect((await ask(path, "POST")).text).toContain("1 of 1 done");
  expect(ordered.map(({ order }) => order)).toEqual([{ is: "adopt", values: ["198.51.100.9"] }]);
});

test("orphans of the owner id that objects want are adopted without their names", async () => {
  const ask = await start();
  row = { ...row, whose: "ours", owners: ["me"], orphan: "orphan: its kind is served elsewhere" };
  expect((await ask("/adopt?from=me")).text).toContain("1 to adopt.");
  expect(askedFor).toEqual([null]);
});

test("a release that does not last is not told as done", async () => {
  const ask = await start("relapses");
  row = { ...row, whose: "ours", owners: ["me"] };
  const path = "/release?name=www.example.org";
  await ask(path);
  const answer = await ask(path, "POST");
  expect(answer.headers.get(OPEN_NAMES_HEADER)).toBe("1");
  expect(answer.text).toContain("taken over again");
});

test("a thousand names go in the body, and nothing but them is asked for", async () => {
  const ask = await start();
  const long = "a-name-of-ordinary-length-of-some-service";
  const many = Array.from({ length: 999 }, (_, n) => `${long}-${n}.example.org`);
  const body = { names: [name, ...many] };
  row = { ...row, whose: "nobody", owners: [], marker: null };
  const preview = await ask("/adopt/look", "POST", "t0ken", body);
  expect([preview.status, preview.headers.get(OPEN_NAMES_HEADER), ordered]).toEqual([200, "1", []]);
  const done = await ask("/adopt/order", "POST", "t0ken", body);
  expect(done.text).toContain("1 of 1 done");
  expect(ordered).toHaveLength(1);
  expect(askedFor).not.toContain(null);
  // What is carried out is looked at by itself.
  expect(askedFor.at(-1)).toBe(name);
});

test.each<object>([
  { names: "www.example.org" },
  { name: ["www.example.org"] },
  ["www.example.org"],
])("a body that is not understood is refused, and never means all names: %j", async (body) => {
  const ask = await start();
  const path = "/transfer/look?from=gone&to=me";
  expect((await ask(path, "POST", "t0ken", body)).status).toBe(400);
  expect((await ask(path, "POST", "t0ken", { names: [] })).status).toBe(200);
});

test.each([
  ["/adopt?name=www.exmaple.org", "www.exmaple.org: no open zone contains it"],
  ["/release?name=www.dead.example", "DNSProvider default/dead serves no zone: no route"],
  ["/transfer?from=a&to=me", "DNSProvider default/dead serves no zone: no route"],
])("%s: nothing to do is not what nobody can tell", async (path, line) => {
  const ask = await start();
  for (const method of ["GET", "POST"]) {
    const answer = await ask(path, method);
    expect(Number(answer.headers.get(UNKNOWN_ZONES_HEADER))).toBeGreaterThan(0);
    const text = answer.text;
    expect(text).toContain(`${line}\n`);
    expect(text).toContain("Nothing can be done while zones cannot be read.");
  }
});

test("a zone that cannot tell is named, in lists and before orders; elsewhere a broken provider is no matter", async () => {
  const ask = await start();
  const path = "/adopt?name=www.example.org";
  expect((await ask(path)).headers.get(UNKNOWN_ZONES_HEADER)).toBe("0");
  expect((await ask("?name=www.example.org")).text).not.toContain("DNSProvider");
  trouble = "the zone is being loaded";
  for (const asked of ["", "?name=www.example.org", path]) {
    const answer = await ask(asked);
    expect(answer.headers.get(UNKNOWN_ZONES_HEADER)).toBe(asked === "" ? "2" : "1");
    expect(answer.text).toContain("zone example.org: cannot be read: the zone is being loaded");
  }
});

test("what a person names and cannot have is refused, and a name without a record as well", async () => {
  const ask = await start();
  for (const [path, line] of [
    ["/adopt?name=www.example.org", "it belongs to gone; see zonekeeper transfer"],
    ["/adopt?name=none.example.org", "none.example.org: there is no record to adopt"],
  ] as const) {
    const done = await ask(path, "POST");
    expect([done.headers.get(REFUSED_HEADER), done.headers.get(OPEN_NAMES_HEADER)]).toEqual([
      "1",
      "0",
    ]);
    expect(done.text).toContain(line);
    const preview = await ask(path);
    expect(preview.headers.get(REFUSED_HEADER)).toBe("1");
    expect(preview.text).toContain(line);
  }
});
