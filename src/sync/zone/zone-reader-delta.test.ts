/** What a delta that tells records spares: no name is read that it says everything about (Z-6). */
import { expect, test } from "vitest";
import { LIKE_RFC2136 } from "../../../test/support/memory-provider/behaviour.ts";
import { nameOf } from "../../../test/support/values/zone-text.ts";
import { loadedReader } from "../../../test/support/worlds/loaded-reader.ts";
import type { RecordSet } from "../../model/record-set.ts";
import { fenceName, parseFence } from "../contract/fence-record.ts";

const POLL_MS = 10_000;
const WWW = nameOf("www");
const OWN = "www 300 A 192.0.2.1";

async function loaded(text = "") {
  const world = await loadedReader(text, LIKE_RFC2136);
  const { clock, reader } = world;
  const poll = async () => {
    await clock.advance(POLL_MS);
    return [...(await reader.poll())].sort();
  };
  /** What our own call did, as the actor learns it. */
  const wrote = async (lines: string, next: RecordSet | undefined) => {
    world.write(lines);
    reader.wrote([WWW], true);
    if (next !== undefined)
      await reader.state?.applied([{ changes: [{ op: "create", next }], name: WWW }]);
  };
  const at = (name: string) => reader.state?.table.at(nameOf(name)).map(textOf);
  return { ...world, poll, wrote, at };
}

function textOf({ type, ttlSeconds, values }: RecordSet): string {
  return `${ttlSeconds} ${type} ${values.join(",")}`;
}

const PUBLISHED: RecordSet = {
  ...{ name: WWW, type: "A", setIdentifier: null, ttlSeconds: 300, values: ["192.0.2.1"] },
  ...{ properties: {}, routingPolicy: null },
};

test("Z-6: what we wrote is compared with the delta, and not read", async () => {
  const { poll, wrote, asked } = await loaded();
  await wrote(OWN, PUBLISHED);
  expect(await poll()).toEqual([]);
  expect(await poll()).toEqual([]);
  expect(asked).toEqual([]);
});

test("Z-6: a stranger's change at a name that we wrote in the same interval is read", async () => {
  const { poll, wrote, remove, write, asked, at } = await loaded();
  await wrote(OWN, PUBLISHED);
  remove(OWN);
  write('www 60 TXT "mine now"');
  expect(await poll()).toEqual([WWW]);
  expect(asked).toEqual([[WWW]]);
  expect(at("www")).toEqual(['60 TXT "mine now"']);
});

test("Z-6: a write that the server dropped in silence beside another's is read", async () => {
  const { poll, wrote, asked, at } = await loaded();
  await wrote('www 60 TXT "another"', PUBLISHED);
  expect(await poll()).toEqual([WWW]);
  expect(asked).toEqual([[WWW]]);
  expect(at("www")).toEqual(['60 TXT "another"']);
});

test("what strangers change elsewhere is taken from the delta, however much it is", async () => {
  const many = Array.from({ length: 500 }, (_, index) => `h${index} 60 A 192.0.2.9`).join("\n");
  const { poll, write, remove, reader, asked, at } = await loaded("old 300 A 192.0.2.1");
  write(many);
  remove("old 300 A 192.0.2.1");
  expect(await poll()).toHaveLength(501);
  expect([at("h0"), at("h499"), at("old")]).toEqual([["60 A 192.0.2.9"], ["60 A 192.0.2.9"], []]);
  expect(asked).toEqual([]);
  expect(reader.reloadInMs()).toBeGreaterThan(0);
});

test("Z-17: a fence that moved is told with what it says now, and is no record of the zone", async () => {
  const { poll, write, fences, asked } = await loaded();
  const fence = fenceName(nameOf("@"), "me");
  write(`${fence}. 300 TXT "v=1;domain=d;epoch=7"`);
  expect(await poll()).toEqual([]);
  expect(asked).toEqual([]);
  const last = fences.at(-1);
  expect(last?.names).toEqual([fence]);
  expect(last?.sets.map(parseFence)).toEqual([expect.objectContaining({ domain: "d", epoch: 7 })]);
});
