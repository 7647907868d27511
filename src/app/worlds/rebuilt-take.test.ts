/** A cluster that was built anew takes the owner id and the records by one command (Z-17, Z-30). */

import { afterEach, expect, test } from "vitest";
import { asClients } from "../../../test/support/programs/client-text.ts";
import { instanceOf } from "../../../test/support/programs/idle-instance.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import type { WriterTerm } from "../../sync/contract/writer-term.ts";
import { type HttpApp, startHttpApp } from "../api/http-app.ts";

const NAMES = ["a", "b", "c"];
const term = (domain: string): WriterTerm => ({
  ...{ domain, epoch: 1, id: domain, copyEpoch: null, marginMs: 0 },
  ...{ remainingMs: () => Number.POSITIVE_INFINITY, outdated: () => {} },
});

let app: HttpApp | null = null;
afterEach(() => app?.close());

test("Z-30 its records pass to the objects that want them with the owner id", async () => {
  const world = programWorld();
  const { clock, start, values } = world;
  const fill = (where: MemoryCluster, address: string): void => {
    for (const name of NAMES) {
      const spec = { dnsName: `${name}.example.org`, targets: [address] };
      where.apply(DNS_ENTRY, objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", name, { spec }));
    }
  };
  fill(world.cluster, "192.0.2.1");
  const before = start(undefined, { fence: { term: term("c1/default/one"), record: true } });
  await clock.advance(60_000);
  await before.stop();
  const rebuilt = new MemoryCluster("c2", () => clock.nowMs());
  fill(rebuilt, "192.0.2.2");
  const fence = { term: term("c2/default/one"), record: true };
  const running = start(undefined, { source: rebuilt, target: rebuilt, fence });
  await clock.advance(60_000);
  const { takeOwner, rights, order, explain } = running;
  app = await startHttpApp({
    at: { host: "127.0.0.1", port: 0 },
    token: "t0ken",
    instance: instanceOf({ takeOwner, rights, order, explain }),
  });
  const url = `http://127.0.0.1:${app.local.port}/api/v1/owner/take?from=c1/default/one`;
  const ask = async (method: string): Promise<string> => {
    const headers = { authorization: "Bearer t0ken", accept: "text/plain" };
    let text: string | null = null;
    const asked = fetch(url, { method, headers })
      .then((response) => asClients(response, headers))
      .then((one) => {
        text = one.text;
      });
    while (text === null) {
      await clock.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await asked;
    return text;
  };
  const becomes = expect.stringMatching(
    /would be: .*\n( {2}take over {2}.* for dnsentry\/default\/[abc]; becomes 192\.0\.2\.2 .*\n){3}3 to take over.*\nNothing was written/,
  );
  expect(await ask("POST")).toEqual(becomes);
  expect(NAMES.flatMap((name) => values(`${name}.example.org`))).toEqual(
    NAMES.map(() => "192.0.2.1"),
  );
  expect(await ask("GET")).toEqual(becomes);
  expect(await ask("POST")).toMatch(/Taken\.[\s\S]*3 of 3 done\./);
  await clock.advance(60_000);
  for (const name of NAMES) expect(values(`${name}.example.org`)).toEqual(["192.0.2.2"]);
  expect(world.zone()).toContain("cluster=c2");
  await running.stop();
});
