/**
 * Z-13 with signatures: a permit that somebody else wrote, copied or altered gives no right (ADR
 * 0012).
 */
import { describe, expect, test } from "vitest";
import { nameOf, parseZone } from "../../../test/support/values/zone-text.ts";
import {
  party,
  permitFor,
  planned,
  settleParties,
  type TransferParty,
} from "../../../test/support/worlds/transfer-world.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { RealCrypto } from "../../app/ports/real-crypto.ts";
import type { MarkerSigning } from "./signature.ts";

const key = (id: string, fill: number) => ({ id, secret: new Uint8Array(32).fill(fill) });
const K1 = key("k1", 1);
const signing = (mode: MarkerSigning["mode"], keys = [K1]): MarkerSigning => ({
  mode,
  keys,
  crypto: new RealCrypto(),
});
const DESIRED = "www 300 A 192.0.2.1";
const GIVER = party("east", DESIRED, permitFor("west"));
const TAKER = party("west", DESIRED, { claim: true });
const as = (one: TransferParty, mode: MarkerSigning["mode"] | null, keys = [K1]): TransferParty =>
  mode === null ? one : { ...one, signing: signing(mode, keys) };

/** A zone in which the giver has the record, and gave its permit if it signs in this way. */
async function given(mode: MarkerSigning["mode"] | null, keys = [K1]): Promise<ZoneModel> {
  const zone = new ZoneModel([]);
  await settleParties([as(GIVER, mode, keys)], zone);
  return zone;
}

const permitIn = (zone: ZoneModel): string => zone.at(nameOf("_permit.a.www"))[0]?.values[0] ?? "";
const ownerIn = (zone: ZoneModel): string | undefined =>
  /external-dns\/owner=(\w+)/.exec(zone.at(nameOf("a-www"))[0]?.values[0] ?? "")?.[1];

/** Puts another text in the permit's place. */
function forge(zone: ZoneModel, text: string, at = "_permit.a.www"): void {
  for (const previous of zone.at(nameOf(at))) zone.write({ op: "remove", previous });
  for (const next of parseZone(`${at} 300 TXT ${text}`)) zone.write({ op: "create", next });
}

describe("the permit of a giver that signs", () => {
  test.each(["write", "require"] as const)(
    "moves the marker for a taker with its key: %s",
    async (mode) => {
      const zone = await given("require");
      expect(permitIn(zone)).toMatch(/,zonekeeper\/sig=k1\.[\w-]{43}"$/);
      await settleParties([as(TAKER, mode)], zone);
      expect([ownerIn(zone), permitIn(zone)]).toEqual(["west", ""]);
    },
  );

  test("moves it for a taker that looks at no signatures, or has the key as its second", async () => {
    const zone = await given("write");
    const other = zone.copy();
    await settleParties([TAKER], zone);
    await settleParties([as(TAKER, "require", [key("k2", 2), K1])], other);
    expect([ownerIn(zone), ownerIn(other)]).toEqual(["west", "west"]);
  });

  test.each(["write", "require"] as const)(
    "is nothing to a taker with other keys, whose hold says: %s",
    async (mode) => {
      const zone = await given("write");
      const { group, holds } = await planned(as(TAKER, mode, [key("k1", 9)]), zone);
      expect([group?.changes, holds[0]?.code]).toEqual([[], "ForeignRecord"]);
      expect(holds[0]?.message).toContain("the signature of its permit fits none of our keys");
    },
  );
});

describe("a forged permit", () => {
  const forgeries: readonly (readonly [string, (real: string) => string])[] = [
    ["for another object", (real) => real.replace("default/west", "default/evil")],
    ["for another group", (real) => real.replace("to-owner=west", "to-owner=evil")],
    ["with another signature", (real) => real.replace(/sig=k1\.../, "sig=k1.AA")],
    ["signed with a key that nobody has", (real) => real.replace("sig=k1", "sig=k7")],
  ];
  test.each(forgeries)("%s gives no right, and its giver writes it anew", async (_, altered) => {
    const zone = await given("write");
    const real = permitIn(zone);
    forge(zone, altered(real));
    for (const owner of ["west", "evil"]) {
      const taker = as(party(owner, DESIRED, { claim: true }), "write");
      expect((await planned(taker, zone)).group?.changes).toEqual([]);
    }
    await settleParties([as(GIVER, "write")], zone);
    expect(permitIn(zone)).toBe(real);
  });

  test("copied to another name gives no right there", async () => {
    const zone = await given("write");
    const two = [
      party("east", "two 300 A 192.0.2.1"),
      party("west", "two 300 A 192.0.2.1", { claim: true }),
    ];
    const [east, west] = two.map((one) => as(one, "write"));
    if (east === undefined || west === undefined) throw new Error("two parties");
    await settleParties([east], zone, { name: "two" });
    forge(zone, permitIn(zone), "_permit.a.two");
    const { group, holds } = await planned(west, zone, "two");
    expect([group?.changes, holds[0]?.code]).toEqual([[], "ForeignRecord"]);
  });
});

describe("an unsigned permit", () => {
  test("counts while signatures are being introduced, and is signed by its giver then", async () => {
    const zone = await given(null);
    const taken = zone.copy();
    await settleParties([as(TAKER, "write")], taken);
    expect(ownerIn(taken)).toBe("west");
    await settleParties([as(GIVER, "write")], zone);
    expect(permitIn(zone)).toContain("zonekeeper/sig=k1.");
  });

  test("counts no more once they are required, and the taker's hold says so", async () => {
    const zone = await given(null);
    const { group, holds } = await planned(as(TAKER, "require"), zone);
    expect([group?.changes, holds[0]?.code]).toEqual([[], "ForeignRecord"]);
    expect(holds[0]?.message).toContain("is not signed");
  });
});
