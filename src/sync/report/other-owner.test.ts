import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { fakeObserver } from "../../../test/support/values/fake-observer.ts";
import { parseZone } from "../../../test/support/values/zone-text.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";

const QUESTION =
  'all records that objects want in example.org and that have an owner belong to "me", none to "east": is --owner right? If it is: zonekeeper transfer --from me --to east --force';
const LOGGED = "records that objects want belong to another owner";
/** Its marker gives rights to other data: a write was cut off, and a person changed the record. */
const OWN_PENDING = `
www 300 A 192.0.2.9
a-www 300 TXT "heritage=external-dns,external-dns/owner=me,external-dns/resource=dnsentry/default/www,external-dns/state=pending,external-dns/data=0011223344556677+"
`;
const WWW = trustedDnsName("www.example.org");

/** The zone as a process with the owner id `me` left it; the next one has the owner id `east`. */
async function restarted(...names: readonly string[]) {
  const before = engineWorld();
  before.engine.openZone(before.zoneInput);
  for (const name of names) before.engine.contribute(KEY, entry(name, ["192.0.2.1"]));
  await before.clock.advance(5_000);
  const identity = { owners: new Set(["east"]), mainOwner: "east", clusterRank: {} };
  const { clock, account } = before;
  await before.engine.stop();
  const log = new MemoryLog();
  const world = engineWorld({ clock, account, engine: { identity, log } });
  world.engine.openZone(world.zoneInput);
  return { ...world, log };
}

async function asked(world: Awaited<ReturnType<typeof restarted>>) {
  await world.clock.advance(5_000);
  const [explanation] = await world.engine.explain(WWW);
  const [status] = world.engine.status();
  const logged = world.log.lines.filter(({ message }) => message === LOGGED);
  return [status?.ownerQuestion, explanation?.ownerQuestion, ...logged.map(({ fields }) => fields)];
}

test("where all that objects want is of one other owner, plan, explain and log ask for --owner", async () => {
  const world = await restarted("www", "mail");
  for (const name of ["www", "mail"]) world.engine.contribute(KEY, entry(name, ["192.0.2.1"]));
  const logged = { zone: "example.org", reason: QUESTION };
  expect(await asked(world)).toEqual([QUESTION, QUESTION, logged]);
  expect(await asked(world)).toEqual([QUESTION, QUESTION, logged]);
});

test("they ask beside new records of ours, where the other owner's are for the same objects", async () => {
  const world = await restarted("www", "mail");
  for (const name of ["new", "www", "mail"])
    world.engine.contribute(KEY, entry(name, ["192.0.2.1"]));
  const question =
    'records that objects want in example.org belong to "me", and 2 of them to the same objects as here: is --owner right? If it is: zonekeeper transfer --from me --to east --force';
  const logged = expect.objectContaining({ zone: "example.org" });
  expect(await asked(world)).toEqual([question, question, logged]);
});

test("where no object wants those of the other owner, or others want them, they do not", async () => {
  expect(await asked(await restarted("www"))).toEqual([undefined, undefined]);
  const mixed = await restarted("www");
  mixed.engine.contribute(KEY, entry("ours", ["192.0.2.1"]));
  const { object, ...rest } = entry("www", ["192.0.2.1"]);
  const other = { ...object, name: "another" };
  const items = rest.found.items.map((item) => ({ ...item, provenance: other }));
  mixed.engine.contribute(KEY, { ...rest, object: other, found: { ...rest.found, items } });
  expect(await asked(mixed)).toEqual([undefined, undefined]);
});

test("a record whose marker of ours does not cover its data raises no question (R8, P3)", async () => {
  const before = engineWorld();
  const pending =
    "heritage=external-dns,external-dns/owner=me,external-dns/resource=dnsentry/default/www,external-dns/state=pending,external-dns/data=0000000000000000";
  const sets = parseZone(`www 300 A 192.0.2.9\na-www 300 TXT "${pending}"`);
  before.content.write(sets.map((set) => ({ key: set, next: set })));
  const log = new MemoryLog();
  const world = engineWorld({ clock: before.clock, account: before.account, engine: { log } });
  world.engine.openZone(world.zoneInput);
  world.engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  expect(await asked({ ...world, log })).toEqual([undefined, undefined]);
  expect(world.reports.at(-1)?.names[0]?.code).toBe("ForeignRecord");
});

test("they do not ask of a record that its object claims, nor of a half-written one of ours", async () => {
  const claiming = await restarted("www");
  const { found: wanted, ...rest } = entry("www", ["192.0.2.1"]);
  const transfer = { claim: true, permit: null, release: false, adopt: [], merge: false };
  const items = wanted.items.map((item) => ({ ...item, transfer }));
  claiming.engine.contribute(KEY, { ...rest, found: { ...wanted, items } });
  expect(await asked(claiming)).toEqual([undefined, undefined]);
  const own = engineWorld();
  const found = parseZone(OWN_PENDING).map((next) => ({ key: next, next }));
  own.content.write(found);
  own.engine.openZone(own.zoneInput);
  own.engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await own.clock.advance(5_000);
  const [status] = own.engine.status();
  const open = status?.open.flatMap(({ holds }) => holds.map(({ code }) => code));
  expect([open, status?.ownerQuestion]).toEqual([["ForeignRecord"], undefined]);
});

test("who else has an owner id of everybody is told once, by the markers of what nobody here asks for", async () => {
  const before = engineWorld();
  const lines = ["a", "b", "c", "d", "e", "f"].flatMap((label, at) => [
    `${label} 300 A 192.0.2.9`,
    `a-${label} 300 TXT "heritage=external-dns,external-dns/owner=default,external-dns/resource=service/prod/${label}${at === 0 ? ",external-dns/cluster=c9" : ""}"`,
  ]);
  before.content.write(parseZone(lines.join("\n")).map((set) => ({ key: set, next: set })));
  const log = new MemoryLog();
  const { clock, account } = before;
  const identity = { owners: new Set(["default"]), mainOwner: "default", clusterRank: {} };
  const observer = fakeObserver("absent");
  const engine = { identity, log, isOwnerShared: true };
  const world = engineWorld({ clock, account, observer, engine });
  world.engine.openZone(world.zoneInput);
  await clock.advance(60_000);
  await clock.advance(600_000);
  const noted = log.lines.filter(({ message }) => message === "others may have the owner id");
  expect(noted.map(({ fields }) => fields)).toEqual([
    {
      zone: "example.org",
      reason:
        "names of example.org with the owner id default that no object here asks for: 6 (clusters c9): a.example.org (service/prod/a of cluster c9), b.example.org (service/prod/b), c.example.org (service/prod/c), d.example.org (service/prod/d), e.example.org (service/prod/e), …. Others may write them; zonekeeper ownership orphans lists all",
    },
  ]);
});
