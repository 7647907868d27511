import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { round, settle } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { RealCrypto, RealRandom } from "../../app/ports/real-crypto.ts";
import { RealGzip } from "../../app/ports/real-gzip.ts";
import { planName } from "../../plan/plan.ts";
import { openTxtOwnership } from "./ownership.ts";
import type { TxtOwnershipOptions } from "./ownership-options.ts";
import type { MarkerSigning, SigningKey } from "./signature.ts";

const key = (id: string, fill: number): SigningKey => ({
  id,
  secret: new Uint8Array(32).fill(fill),
});
const signing = (
  mode: "write" | "require" = "write",
  keys: readonly SigningKey[] = [key("k1", 1)],
): MarkerSigning => ({ mode, keys, crypto: new RealCrypto() });

const open = (options: Partial<TxtOwnershipOptions> = {}) =>
  openTxtOwnership({
    apex: ORIGIN,
    isOwnedByUs: (owner) => owner.startsWith("me"),
    signing: signing(),
    ...options,
  });
const UNSIGNED =
  '"heritage=external-dns,external-dns/cluster=c1,external-dns/owner=me,external-dns/resource=service/default/web"';

/** The zone after rounds of planning and applying. */
async function written(
  desired: string,
  { zone = "", ...options }: Partial<TxtOwnershipOptions> & { readonly zone?: string } = {},
): Promise<string> {
  const world = {
    zone: new ZoneModel(parseZone(zone)),
    ownership: open(options),
    desired: parseDesired(desired),
    rules: rulesWith(),
  };
  await settle(world);
  return showZone(world.zone.all());
}

/** Codes of holds at `www`, and who owns it. */
async function judged(zone: string, options: Partial<TxtOwnershipOptions> = {}, at = "www") {
  const ownership = open(options);
  const sets = await ownership.read(parseZone(zone));
  const name = nameOf(at);
  const desired = parseDesired(`${at} 300 A 192.0.2.9`);
  const here = sets.filter((one) => one.name === name);
  const plan = planName(name, desired, here, rulesWith());
  return {
    owners: here.map(({ type, marker }) => `${type} ${marker?.trouble ?? marker?.owner ?? "-"}`),
    holds: plan.holds.map(({ code }) => code),
    changes: plan.changes.length,
  };
}

const GOOD = { owners: ["A me"], holds: [], changes: 1 };
const UNPROVEN = { owners: ["A MarkerUnsigned"], holds: ["MarkerUnsigned"], changes: 0 };
const FORGED = { owners: ["A MarkerForged"], holds: ["MarkerForged"], changes: 0 };

describe("Z-13 signed markers", () => {
  test("what is written carries a signature, and is read again as ours", async () => {
    const zone = await written("www 300 A 192.0.2.1");
    expect(zone).toMatch(
      /^a-www 300 TXT "heritage=external-dns,external-dns\/cluster=c1,external-dns\/owner=me,.*,external-dns\/sig=k1\.[\w-]{43}"$/m,
    );
    expect(await judged(zone)).toEqual(GOOD);
    expect(await judged(zone, { signing: signing("require") })).toEqual(GOOD);
    // Whoever does not look at signatures reads the marker as before.
    expect(await judged(zone, { signing: null })).toEqual(GOOD);
  });

  test.each([
    ["service/default/web", 43],
    ["ingress/team-payments-production/checkout-frontend-v2", 22],
    ["service/shoot--garden--prod-eu-west/ingress-nginx-controller", 22],
  ])("encrypted and signed: %s fits, with %i characters of signature", async (from, length) => {
    const crypto = new RealCrypto();
    const ports = { cipher: crypto, gzip: new RealGzip(), random: new RealRandom() };
    const encryption = { key: new Uint8Array(32).fill(7), write: true, ...ports };
    const desired = `www 300 A 192.0.2.1 ; from=${from}`;
    const zone = await written(desired, { encryption });
    expect(zone).not.toContain("heritage");
    const require = { signing: signing("require"), encryption };
    expect(await judged(zone, require)).toEqual(GOOD);
    const [read] = await open(require).read(parseZone(zone));
    expect(read?.marker?.labels["sig"]).toHaveLength("k1.".length + length);
    // Written once: nothing differs the next time.
    expect(await written(desired, { zone, encryption })).toBe(zone);
    const forged = new Uint8Array(32).fill(9);
    const other = signing("require", [{ id: "k1", secret: forged }]);
    expect(await judged(zone, { signing: other, encryption })).toEqual(FORGED);
  });

  test("an altered, a copied and a made-up marker give no right", async () => {
    const zone = await written("www 300 A 192.0.2.1");
    const other = await written("old 300 A 192.0.2.1");
    expect(await judged(zone.replace("default/web", "default/evil"))).toEqual(FORGED);
    expect(await judged(zone.replace(/sig=k1\.[^"]{4}/, "sig=k1.AAAA"))).toEqual(FORGED);
    expect(await judged(zone.replace("sig=k1.", "sig=k9."))).toEqual(FORGED);
    expect(await judged(zone.replace("sig=k1.", "sig=k1"))).toEqual(FORGED);
    // The beginning of a signature is none, but for its first half.
    for (const length of [0, 21, 23, 42])
      expect(
        await judged(zone.replace(/(sig=k1\..{43})/, (sig) => sig.slice(0, 7 + length))),
      ).toEqual(FORGED);
    // Another name, another type, another zone.
    expect(await judged(other.replaceAll("old", "www"))).toEqual(FORGED);
    const aaaa = zone.replace("www 300 A 192.0.2.1", "www 300 AAAA 2001:db8::1");
    const moved = await open().read(parseZone(aaaa.replace("a-www", "aaaa-www")));
    expect(moved.map(({ marker }) => marker?.trouble)).toEqual(["MarkerForged"]);
    const elsewhere = open({ apex: trustedDnsName("org") });
    const copied = await elsewhere.read(parseZone(zone));
    expect(copied.map(({ marker }) => marker?.trouble)).toEqual(["MarkerForged"]);
  });

  test("off to write: an unsigned marker still counts, and is signed when it is written", async () => {
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${UNSIGNED}`;
    expect(await judged(zone)).toEqual(GOOD);
    expect(await written("www 300 A 192.0.2.2", { zone })).toContain("sig=k1.");
  });

  test("require: an unsigned marker gives no right, its data stays, and a create is held", async () => {
    const require = { signing: signing("require") };
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${UNSIGNED}`;
    expect(await judged(zone, require)).toEqual(UNPROVEN);
    expect(await written("www 300 A 192.0.2.2", { zone, ...require })).toBe(
      showZone(parseZone(zone)),
    );
    expect(await judged(`a-www 300 TXT ${UNSIGNED}`, require)).toEqual(UNPROVEN);
    // Under proof of absence, too.
    expect(await written("", { zone, ...require })).toBe(showZone(parseZone(zone)));
  });

  test("a forged marker beside a good one is worthless, and is not touched", async () => {
    const zone = await written("www 300 A 192.0.2.1");
    const evil = `_owner.a.www 300 TXT ${UNSIGNED}`;
    const require = { signing: signing("require") };
    expect(await judged(`${zone}\n${evil}`, require)).toEqual(GOOD);
    const after = await written("www 300 A 192.0.2.7", { zone: `${zone}\n${evil}`, ...require });
    expect(after).toContain("192.0.2.7");
    expect(after).toContain(evil);
  });

  test("what claims our right in vain names nobody, and counts for nothing beside what cannot be read", async () => {
    const require = open({ signing: signing("require") });
    const forged = `_owner.a.www 300 TXT ${UNSIGNED}`;
    const [alone] = await require.read(parseZone(forged));
    expect(alone?.marker).toMatchObject({ owner: "", trouble: "MarkerUnsigned" });
    const [withUnreadable] = await require.read(
      parseZone(`${forged}\na-www 300 TXT "${"A".repeat(96)}"\nwww 300 A 192.0.2.1`),
    );
    expect(withUnreadable?.marker?.trouble).toBe("MarkerUnreadable");
  });

  test("a marker at a name that a prefix reads as no type's is signed for its type again", async () => {
    const options = { readAlso: [{ prefix: "txt-", suffix: "", wildcard: "" }] };
    const first = await written('www 300 TXT "hello"');
    expect(first).toMatch(/^txt-www /m);
    const zone = await written('www 300 TXT "hello" ; from=service/b/y', {
      zone: first,
      ...options,
    });
    expect(zone).toContain("service/b/y");
    const [view] = await open({ ...options, signing: signing("require") }).read(parseZone(zone));
    expect([view?.type, view?.marker?.owner]).toEqual(["TXT", "me"]);
  });

  test("a marker of another owner is never signed with our key", async () => {
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${UNSIGNED.replace("owner=me", "owner=you")}`;
    expect(await judged(zone, { signing: signing("require") })).toEqual({
      owners: ["A you"],
      holds: ["ForeignRecord"],
      changes: 0,
    });
  });

  test("rotation: the first key writes, all verify", async () => {
    const zone = await written("www 300 A 192.0.2.1");
    const rotated = signing("require", [key("k2", 2), key("k1", 1)]);
    expect(await judged(zone, { signing: rotated })).toEqual(GOOD);
    expect(await written("www 300 A 192.0.2.2", { zone, signing: rotated })).toContain("sig=k2.");
    expect(await judged(zone, { signing: signing("write", [key("k2", 2)]) })).toEqual(FORGED);
  });

  test("each step of a sequence is signed", async () => {
    const world = {
      zone: new ZoneModel([], { atomic: false }),
      ownership: open({ atomic: false, signing: signing("require") }),
      desired: parseDesired("www 300 A 192.0.2.1"),
      rules: rulesWith(),
    };
    await round(world);
    expect(showZone(world.zone.all())).toMatch(/sig=k1\..*state=pending/);
    await settle(world);
    expect(showZone(world.zone.all())).not.toContain("pending");
    await settle({ ...world, desired: [] });
    expect(showZone(world.zone.all())).toBe("");
  });

  test("a marker that makes room is signed for its new place", async () => {
    // The legacy marker of www stands where the CNAME is wanted: Z-11.
    const legacy = `www 300 A 192.0.2.1\nwww 300 TXT ${UNSIGNED}`;
    const zone = await written("www 300 CNAME lb.example.com", { zone: legacy });
    const read = await open({ signing: signing("require") }).read(parseZone(zone));
    expect(read.map(({ type, marker }) => [type, marker?.owner])).toEqual([["CNAME", "me"]]);
  });
});
