/**
 * Names that a read needs besides the name itself: names of markers of a permit (Z-13), and
 * learned marker names.
 */
import { expect, test } from "vitest";
import { MemorySession } from "../../../test/support/memory-provider/memory-session.ts";
import { MemoryAccount } from "../../../test/support/memory-provider/provider.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { nameOf, ORIGIN, parseZone, shortName } from "../../../test/support/values/zone-text.ts";
import { openTxtOwnership } from "../../ownership/txt/ownership.ts";
import { withOtherFormats } from "../../ownership/with-other-formats.ts";
import { ZoneTexts } from "../cache/columns/zone-texts.ts";
import { AccountBudget } from "../calls/account-budget.ts";
import { SYNC_DEFAULTS } from "../contract/settings.ts";
import { ZoneReader } from "./zone-reader.ts";

const WWW = nameOf("www");
const HELD = `www 300 A 192.0.2.1
a-www 300 TXT "heritage=external-dns,external-dns/owner=east"`;
const PERMIT = `_permit.a.www 300 TXT "heritage=zonekeeper,zonekeeper/kind=permit,zonekeeper/owner=east,zonekeeper/to-owner=west,zonekeeper/to-resource=service/default/web"`;
const MARKER = `comment-_permit.a.www 600 TXT "owner=shoot"
comment-_permit.a.www 600 TXT "prefix=comment-"`;

/** A reader that has loaded a zone, and what others do to it. */
async function loaded(text: string) {
  const clock = new VirtualClock();
  const account = new MemoryAccount();
  const { zone } = account.addZone({ name: ORIGIN });
  const write = (lines: string) => {
    const made = parseZone(lines).map(({ name, type, setIdentifier, ...data }) => {
      const key = { name, type, setIdentifier };
      return { key, next: { ...key, ...data } };
    });
    account.zoneNamed(ORIGIN)?.content.write(made, clock.monotonicMs());
  };
  const session = new MemorySession({
    zones: () => account.zones(),
    faults: { apply: () => account.faults.apply("", []), read: () => account.faults.read("") },
    environment: { clock, dryRun: false },
  });
  const asked: (readonly string[])[] = [];
  const reader = new ZoneReader({
    zoneInput: {
      key: { account: "a", zone: ORIGIN },
      zone,
      session: Object.assign(session, {
        records: ((records) => (of: typeof zone, names: never, signal: AbortSignal) => {
          if (names !== null) asked.push(names);
          return records.call(session, of, names, signal);
        })(session.records),
      }),
      ownership: withOtherFormats(
        openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner === "west" }),
        { apex: ORIGIN, isOwnedByUs: (owner) => owner === "west" },
      ),
      policy: "sync",
      adoption: { mode: "never" },
      managedTypes: new Set(["A"]),
      defaultTtlSeconds: 300,
    },
    texts: new ZoneTexts(),
    owners: new Set(["west"]),
    clock,
    settings: SYNC_DEFAULTS,
    budget: new AccountBudget(clock, null),
    signal: new AbortController().signal,
    onFence: () => undefined,
    wake: () => undefined,
  });
  write(text);
  await reader.load();
  const permitted = () => reader.state?.owned.at(WWW).map(({ permit }) => permit?.toOwner ?? null);
  return { write, reader, permitted, asked };
}

test("a name that is read by itself: where no permit stands, it takes one question", async () => {
  const { reader, asked } = await loaded(HELD);
  await reader.reread([WWW]);
  expect(asked).toHaveLength(1);
});

test("a permit and a marker for it, written since: both are read, and it gives no right", async () => {
  const { write, reader, permitted, asked } = await loaded(HELD);
  write(PERMIT);
  await reader.reread([WWW]);
  expect(permitted()).toEqual(["west"]);
  write(MARKER);
  await reader.reread([WWW]);
  expect(permitted()).toEqual([null]);
  expect(asked).toHaveLength(4);
  expect(asked[1]?.map((name) => shortName(nameOf(`${name}.`)))).toContain("comment-_permit.a.www");
});

test("a whole reading: a marker that comes later is seen at the record's name", async () => {
  const { write, reader, permitted } = await loaded(`${HELD}\n${PERMIT}`);
  expect(permitted()).toEqual(["west"]);
  write(MARKER);
  await reader.load();
  expect(permitted()).toEqual([null]);
});

test("a marker of Gardener's with a prefix of its own is known from the first whole reading", async () => {
  const { reader, write } = await loaded(
    'www 300 A 192.0.2.1\ntxt-www 600 TXT "owner=shoot"\ntxt-www 600 TXT "prefix=txt-"',
  );
  const owners = (name: string) =>
    reader.state?.owned.at(nameOf(name)).map(({ marker }) => marker?.owner ?? null);
  expect(owners("www")).toEqual(["shoot"]);
  write('api 300 A 192.0.2.2\ntxt-api 600 TXT "owner=you"\ntxt-api 600 TXT "prefix=txt-"');
  await reader.reread([nameOf("api")]);
  expect(owners("api")).toEqual(["you"]);
});
