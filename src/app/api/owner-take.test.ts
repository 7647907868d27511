/** A contested owner id as the local API shows and settles it. */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterEach, expect, test } from "vitest";
import { asClients } from "../../../test/support/programs/client-text.ts";
import { instanceOf } from "../../../test/support/programs/idle-instance.ts";
import type { FenceStatus, FenceTaking } from "../../sync/contract/fence-status.ts";
import type { OwnershipRow, ZoneOwnership } from "../../sync/contract/ownership-rows.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import { planText } from "../commands/ask/texts/plan-text.ts";
import { NO_WORK } from "../compose/instance.ts";
import { zoneCheck } from "../compose/zone-checks.ts";
import { UNKNOWN_ZONES_HEADER } from "./exchange.ts";
import { type HttpApp, startHttpApp } from "./http-app.ts";
import { planDocument } from "./plan/document.ts";

const APEX = trustedDnsName("example.org");
const FENCE: FenceStatus = {
  mode: "stopped",
  domain: "c1/n/l",
  holder: null,
  epoch: 3,
  code: "OwnerContested",
  message: "the installation c2/n/l writes to this zone",
  other: "c2/n/l",
};
const STATUS: ZoneStatus = {
  key: { account: "a", zone: APEX },
  zone: { id: APEX, name: APEX, providerType: "rfc2136", endpoint: "127.0.0.1:53", view: "" },
  state: "ready",
  message: null,
  paused: null,
  isAtomic: true,
  ownedNames: 0,
  foreignNames: 0,
  open: [],
  danglingNames: 0,
  heldSets: [],
};

const planned = (status: ZoneStatus): string =>
  planText(planDocument([status], { zone: null, name: null, limit: null }), {
    width: null,
    color: false,
  });

let app: HttpApp | null = null;
afterEach(() => app?.close());

type Take = (from: string, dryRun: boolean) => Promise<readonly FenceTaking[]>;

async function openClient(takeOwner: Take, rights = NO_WORK.rights) {
  app = await startHttpApp({
    at: { host: "127.0.0.1", port: 0 },
    token: "t0ken",
    instance: instanceOf({ takeOwner, rights }),
  });
  const { port } = app.local;
  return async (method: string, from: string, token = "t0ken") => {
    const headers = { authorization: `Bearer ${token}`, accept: "text/plain" };
    const path = `/api/v1/owner/take?from=${encodeURIComponent(from)}`;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
    const failed = response.headers.get(UNKNOWN_ZONES_HEADER);
    return [response.status, (await asClients(response, headers)).text, failed] as const;
  };
}

test("GET only tells what would be written, POST writes it, both with the token", async () => {
  const asked: unknown[] = [];
  const ask = await openClient(async (from, dryRun) => {
    asked.push([from, dryRun]);
    return from === "c2/n/l" ? [{ zone: APEX, now: "v=1;before", next: "v=1;after" }] : [];
  });
  expect((await ask("POST", "c2/n/l", "wrong"))[0]).toBe(401);
  const [status, text] = await ask("GET", "c2/n/l");
  expect([status, text]).toEqual([
    200,
    expect.stringContaining("zone example.org\n  fence now:  v=1;before\n  would be:  v=1;after\n"),
  ]);
  expect(await ask("POST", "c2/n/l")).toEqual([200, expect.stringContaining("Taken."), "0"]);
  expect((await ask("POST", "c3/n/l")).slice(0, 2)).toEqual([
    404,
    expect.stringContaining("NothingToTake"),
  ]);
  expect(asked).toEqual([
    ["c2/n/l", true],
    ["c2/n/l", true],
    ["c2/n/l", false],
    ["c3/n/l", true],
  ]);
});

test("orphans of every owner id that the installation acts for in a zone that is taken", async () => {
  const row = (owner: string): OwnershipRow => ({
    ...{ name: trustedDnsName(`${owner}.example.org`), type: "A", setIdentifier: null },
    ...{ values: ["192.0.2.1"], whose: "ours", owners: [owner], resource: null, marker: "m" },
    ...{ isPending: false, wantedBy: "dnsentry/default/a", isAdoptable: false, permit: null },
    orphan: "its marker is for another cluster",
  });
  const of = (apex: DnsName, owners: readonly string[]): ZoneOwnership => ({
    ...{ key: { account: "a", zone: apex }, zone: { ...STATUS.zone, id: apex, name: apex } },
    ...{ owners, adoption: "never", trouble: null, fences: [], rows: ["one", "two"].map(row) },
  });
  const both = of(APEX, ["one", "two"]);
  const other = of(trustedDnsName("example.net"), ["one"]);
  const ask = await openClient(
    async () => [{ zone: APEX, now: "v=1;before", next: "v=1;after" }],
    async () => [both, other],
  );
  expect((await ask("GET", "c2/n/l"))[1].match(/take over {2}\S+/g)).toEqual([
    "take over  one.example.org",
    "take over  two.example.org",
  ]);
});

test("a zone that cannot be read or written is told beside those that are taken", async () => {
  const taken = { zone: APEX, now: "v=1;before", next: "v=1;after" };
  const failed = { zone: trustedDnsName("dead.example"), trouble: "no route" };
  const ask = await openClient(async (from) => (from === "c2/n/l" ? [failed, taken] : [failed]));
  const answerEndingIn = (end: string) => [200, expect.stringContaining(end), "1"];
  expect(await ask("GET", "c2/n/l")).toEqual(
    answerEndingIn("zone dead.example\n  cannot be read: no route\nzone example.org\n"),
  );
  const answer = await ask("POST", "c2/n/l");
  expect(answer).toEqual(answerEndingIn("  is:        v=1;after\nTaken. "));
  expect(answer).toEqual(answerEndingIn("1 of 2 zones could not be taken. Repeat"));
  expect((await ask("POST", "c3/n/l"))[1]).toBe(
    "zone dead.example\n  not taken: no route\n1 of 1 zones could not be taken. Repeat the command when they can be reached.\n",
  );
});

test("plan and readiness tell of a stopped zone, and of one without a record", () => {
  expect(planned({ ...STATUS, fence: FENCE })).toContain(
    "\nnothing is written to example.org: OwnerContested: the installation c2/n/l writes to this zone\n",
  );
  expect(zoneCheck({ ...STATUS, fence: FENCE })).toMatchObject({
    ok: false,
    readyAnyway: true,
    message: "stopped: the installation c2/n/l writes to this zone",
  });
  const lease: FenceStatus = { ...FENCE, mode: "lease", code: null, message: "refused" };
  expect(planned({ ...STATUS, fence: lease })).toContain(
    "fencing of example.org: lease (refused)\n",
  );
  const usual: FenceStatus = { ...FENCE, mode: "record", code: null, message: "" };
  expect(planned({ ...STATUS, fence: usual })).toBe(planned(STATUS));
});
