/** The conformance harness of infoblox-dns on its fake. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import { toObject, toRecordSets, toRecords } from "../../../../src/providers/infoblox/convert.ts";
import { OBJECT_OF, RECORD_OBJECTS } from "../../../../src/providers/infoblox/objects.ts";
import { INFOBLOX_PROVIDER } from "../../../../src/providers/infoblox/session.ts";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type EnvironmentChanges, realEnvironment } from "../../values/rfc2136-session.ts";
import type { FakeGrid } from "./grid.ts";
import { FakeInfoblox } from "./server.ts";

/** What a Secret holds; it is invented. */
export const INFOBLOX_SECRET = { USERNAME: "zonekeeper", PASSWORD: "grid pass: wörd" } as const;

/** A fake that takes the login above. */
export function makeFake(): FakeInfoblox {
  return new FakeInfoblox(INFOBLOX_SECRET.USERNAME, INFOBLOX_SECRET.PASSWORD);
}

/** A session on the fake. */
export function openInfoblox(
  host: string,
  environment: EnvironmentChanges = {},
  config: Readonly<Record<string, unknown>> = {},
  secret: Readonly<Record<string, string>> = INFOBLOX_SECRET,
): ProviderSession {
  const opened = INFOBLOX_PROVIDER.open(
    { secret, config: { host, ...config } },
    realEnvironment(environment),
  );
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("; "));
  return opened.value;
}

/** The objects of the Grid as record sets, of all zones. */
export function setsIn({ objects }: FakeGrid): readonly RecordSet[] {
  const records = RECORD_OBJECTS.flatMap((kind) =>
    objects
      .filter(({ object }) => object === kind.object)
      .flatMap(({ _ref, fields }) => toRecords(kind, { _ref, ...fields }, 28_800) ?? []),
  );
  return toRecordSets(records);
}

/** Somebody else makes one object for each value. */
export function addForeign(grid: FakeGrid, set: RecordSet): void {
  const object = OBJECT_OF.get(set.type)?.object ?? "";
  for (const value of set.values) grid.create(object, { name: set.name, ...toObject(set, value) });
}

/** The WAPI has no body of its own for it: the web server in front of it answers. */
const TOO_MANY_PAGE = "<html><head><title>429 Too Many Requests</title></head></html>";

/** With one zone, `example.org`. */
export async function infobloxHarness(): Promise<ProviderHarness> {
  const fake = makeFake();
  const host = await fake.start();
  fake.grid.addZone("example.org");
  return {
    zone: trustedDnsName("example.org"),
    open: (rails) => openInfoblox(host, rails, {}, { ...INFOBLOX_SECRET, PASSWORD: fake.password }),
    poll: async (name, type) => {
      const found = setsIn(fake.grid).find((set) => set.name === name && set.type === type);
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => addForeign(fake.grid, set),
    loseNextAnswer: () => fake.breakNext(/^POST/, { is: "cut-after" }),
    throttleNext: (seconds) => fake.throttleNext(/^POST/, TOO_MANY_PAGE, seconds),
    fake: fake.breakable({ writes: /^POST/, listings: /^GET .*record(:|%3A)/ }, () => {
      const expired = fake.password;
      fake.password = "the next grid pass";
      return [expired];
    }),
    settle: async () => undefined,
    takeCalls: () => fake.takeCalls(),
    stop: () => fake.stop(),
  };
}
