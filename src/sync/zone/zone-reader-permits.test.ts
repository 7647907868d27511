/**
 * Names that a read needs besides the name itself: names of markers of a permit (Z-13), and
 * learned marker names.
 */
import { expect, test } from "vitest";
import { nameOf, shortName } from "../../../test/support/values/zone-text.ts";
import { loadedReader } from "../../../test/support/worlds/loaded-reader.ts";

const WWW = nameOf("www");
const HELD = `www 300 A 192.0.2.1
a-www 300 TXT "heritage=external-dns,external-dns/owner=east"`;
const PERMIT = `_permit.a.www 300 TXT "heritage=zonekeeper,zonekeeper/kind=permit,zonekeeper/owner=east,zonekeeper/to-owner=west,zonekeeper/to-resource=service/default/web"`;
const MARKER = `comment-_permit.a.www 600 TXT "owner=shoot"
comment-_permit.a.www 600 TXT "prefix=comment-"`;

test("a name that is read by itself: where no permit stands, it takes one question", async () => {
  const { reader, asked } = await loadedReader(HELD);
  await reader.reread([WWW]);
  expect(asked).toHaveLength(1);
});

test("a permit and a marker for it, written since: both are read, and it gives no right", async () => {
  const { write, reader, permittedAt, asked } = await loadedReader(HELD);
  write(PERMIT);
  await reader.reread([WWW]);
  expect(permittedAt("www")).toEqual(["west"]);
  write(MARKER);
  await reader.reread([WWW]);
  expect(permittedAt("www")).toEqual([null]);
  expect(asked).toHaveLength(4);
  expect(asked[1]?.map((name) => shortName(nameOf(`${name}.`)))).toContain("comment-_permit.a.www");
});

test("a whole reading: a marker that comes later is seen at the record's name", async () => {
  const { write, reader, permittedAt } = await loadedReader(`${HELD}\n${PERMIT}`);
  expect(permittedAt("www")).toEqual(["west"]);
  write(MARKER);
  await reader.load();
  expect(permittedAt("www")).toEqual([null]);
});

test("a marker of Gardener's with a prefix of its own is known from the first whole reading", async () => {
  const { reader, write } = await loadedReader(
    'www 300 A 192.0.2.1\ntxt-www 600 TXT "owner=shoot"\ntxt-www 600 TXT "prefix=txt-"',
  );
  const owners = (name: string) =>
    reader.state?.owned.at(nameOf(name)).map(({ marker }) => marker?.owner ?? null);
  expect(owners("www")).toEqual(["shoot"]);
  write('api 300 A 192.0.2.2\ntxt-api 600 TXT "owner=you"\ntxt-api 600 TXT "prefix=txt-"');
  await reader.reread([nameOf("api")]);
  expect(owners("api")).toEqual(["you"]);
});
