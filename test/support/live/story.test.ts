/** The live story on a fake: it leaves nothing, also when it fails; and its accounts. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ROUTE53_SECRET } from "../fakes/route53/harness.ts";
import { FakeRoute53 } from "../fakes/route53/server.ts";
import { VENDORS } from "../fakes/vendors.ts";
import { eventually } from "../ports/eventually.ts";
import { makeTempFolder } from "../ports/temp-folder.ts";
import { LIVE_ROWS, liveAccount } from "./accounts.ts";
import { playLive } from "./story.ts";

let fake: FakeRoute53;
let zone: ReturnType<FakeRoute53["addZone"]>;
let account: Parameters<typeof playLive>[0];

beforeEach(async () => {
  fake = new FakeRoute53();
  const config = { endpoint: await fake.start() };
  zone = fake.addZone("Z1", "example.org");
  const settings = { secret: ROUTE53_SECRET, config };
  account = { type: "aws-route53", zone: "example.org", settings, patienceMs: 3_000 };
});
afterEach(() => fake.stop());

const names = (): readonly string[] => zone.sets.map(({ Name, Type }) => `${Name} ${Type}`);

describe("the story", () => {
  test("that fails leaves nothing behind, also of what a stranger wrote below its label", async () => {
    const before = names();
    const played = playLive(account).catch((error: unknown) => error);
    const seen = await eventually(
      "a name is there",
      async () => names(),
      (now) => now.some((name) => name.startsWith("www.zk-live-")),
    );
    const label = seen
      .find((name) => name.startsWith("www."))
      ?.split(" ")[0]
      ?.slice(4);
    const set = { Name: `foreign.${label}`, Type: "TXT", TTL: 60 } as const;
    zone.apply([{ action: "CREATE", set: { ...set, ResourceRecords: [{ Value: '"x"' }] } }]);
    expect(String(await played)).toMatch(/nothing is left: not within 3000 ms.*foreign/);
    expect(names()).toEqual(before);
  });

  test("names the zone that the account does not show", async () => {
    await expect(playLive({ ...account, zone: "example.net" })).rejects.toThrow(
      "the account shows no zone example.net",
    );
  });
});

describe("accounts", () => {
  const [ROUTE53, POWERDNS] = ["ROUTE53", "POWERDNS"].map((one) => {
    const row = LIVE_ROWS.find(({ name }) => name === one);
    if (row === undefined) throw new Error(one);
    return row;
  }) as [(typeof LIVE_ROWS)[number], (typeof LIVE_ROWS)[number]];

  test("each provider has a row", () => {
    const types = LIVE_ROWS.map(({ type }) => type).sort();
    expect(types).toEqual(Object.keys(VENDORS).sort());
  });

  test("without the variable there is none", () => {
    expect(liveAccount(ROUTE53, { ZONEKEEPER_LIVE_ROUTE53: "" })).toBeNull();
  });

  test("without a file the surroundings count", () => {
    expect(liveAccount(ROUTE53, { ZONEKEEPER_LIVE_ROUTE53: "example.org" })).toMatchObject({
      type: "aws-route53",
      settings: { secret: { AWS_USE_CREDENTIALS_CHAIN: "true" } },
    });
    const azure = LIVE_ROWS.find(({ name }) => name === "AZURE") ?? ROUTE53;
    const env = { ZONEKEEPER_LIVE_AZURE: "example.org" };
    expect(() => liveAccount(azure, env)).toThrow(
      "AZURE_SUBSCRIPTION_ID is missing: set it, or ZONEKEEPER_LIVE_AZURE_FILE",
    );
  });

  test.each([
    [undefined, "ZONEKEEPER_LIVE_POWERDNS_FILE is missing: name a file"],
    ["kind: [s3cret", "cannot be read, or is no YAML"],
    ["kind: DNSProvider\nspec: {}\n", "there is no Secret in the file"],
  ])("a file that says %j is told without it", (text, trouble) => {
    const folder = makeTempFolder("live");
    const file = join(folder.path, "account.yaml");
    if (text !== undefined) writeFileSync(file, text);
    const env = {
      ZONEKEEPER_LIVE_POWERDNS: "example.org",
      ...(text === undefined ? {} : { ZONEKEEPER_LIVE_POWERDNS_FILE: file }),
    };
    expect(() => liveAccount(POWERDNS, env)).toThrow(trouble);
    expect(() => liveAccount(POWERDNS, env)).not.toThrow(/s3cret/);
    folder.remove();
  });
});
