/** Several members of etcd: the next one is asked when one is down, and all together say so. */
import { afterEach, expect, test } from "vitest";
import {
  applyStatus,
  create,
  recordSet,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { openCoreDns } from "../../../test/support/fakes/coredns/harness.ts";
import { FakeEtcd } from "../../../test/support/fakes/coredns/server.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function started(): Promise<{ readonly fake: FakeEtcd; readonly url: string }> {
  const fake = new FakeEtcd();
  const url = await fake.start();
  ends.push(() => fake.stop());
  return { fake, url };
}

function open(...urls: readonly string[]) {
  const session = openCoreDns(urls.join(","));
  ends.push(() => session.close());
  return session;
}

const UNUSED = ["http://127.0.0.1:9", "http://127.0.0.1:10"] as const;
const WWW = create(recordSet("www.example.org", "A", "192.0.2.1"));

test("one that is down is passed over, and not asked again", async () => {
  const { fake, url } = await started();
  const session = open(UNUSED[0], url);
  const { sets } = await session.records(await zoneOf(session), null, soon());
  expect(sets).toEqual([]);
  expect(await applyStatus(session, WWW)).toBe("applied");
  expect(fake.takeCalls().length).toBeGreaterThan(1);
});

test("one that goes down hands over to the next", async () => {
  const [first, second] = [await started(), await started()];
  const session = open(first.url, second.url);
  const zone = await zoneOf(session);
  await session.records(zone, null, soon());
  await first.fake.stop();
  await session.records(zone, null, soon()).catch(() => session.records(zone, null, soon()));
  expect([first.fake.takeCalls().length, second.fake.takeCalls().length]).toEqual([2, 1]);
});

test("a write that may have arrived is not sent to another one", async () => {
  const [first, second] = [await started(), await started()];
  const session = open(first.url, second.url);
  await session.records(await zoneOf(session), null, soon());
  first.fake.breakNext(/txn/, { is: "cut-after" });
  expect(await applyStatus(session, WWW)).toBe("unknown");
  expect(second.fake.takeCalls()).toEqual([]);
});

test("a pause is no reason to ask another one", async () => {
  const [first, second] = [await started(), await started()];
  const environment = { writeGate: () => "paused by a test" };
  const session = openCoreDns([first.url, second.url].join(","), { environment });
  ends.push(() => session.close());
  const zone = await zoneOf(session);
  await expect(applyStatus(session, WWW)).rejects.toMatchObject({ code: "Paused" });
  await session.records(zone, null, soon());
  expect(second.fake.takeCalls()).toEqual([]);
});

test("where none can be reached, all are meant", async () => {
  await expect(open(...UNUSED).zones(soon())).rejects.toMatchObject({
    code: "ConnectFailed",
    message: expect.stringContaining("none of the 2 addresses of Server can be reached"),
  });
});
