/**
 * In a process of its own: loads a provider by its first session, lists its zone, and prints what
 * that took. The argument is JSON: type, secret, config. Needs `--expose-gc`.
 */
import { PROVIDER_TYPES } from "../../src/providers/index.ts";
import { realEnvironment } from "../../test/support/values/rfc2136-session.ts";

/** What is printed after `used `. */
export interface FirstUse {
  /** Milliseconds until there is a session, and for its zones and its zone's records. */
  readonly openMs: number;
  readonly zonesMs: number;
  readonly recordsMs: number;
  readonly sets: number;
  /** MB of resident memory and of the heap that the session keeps, the listing itself dropped. */
  readonly rssMb: number;
  readonly heapMb: number;
}

const MEGABYTE = 2 ** 20;
const never = new AbortController().signal;
const { type, ...settings } = JSON.parse(process.argv[2] ?? "");
const provider = PROVIDER_TYPES.find((one) => one.type === type);
const environment = realEnvironment();
const before = memory();
const [openMs, opened] = await timed(async () => provider?.open(settings, environment));
if (opened?.ok !== true) throw new Error(`no session of ${type}`);
const session = opened.value;
const [zonesMs, zones] = await timed(() => session.zones(never));
const zone = zones.find(({ name }) => name === "example.org");
if (zone === undefined) throw new Error("the account shows no zone example.org");
const [recordsMs, sets] = await timed(async () => {
  return (await session.records(zone, null, never)).sets.length;
});
const after = memory();
const used: FirstUse = {
  ...{ openMs, zonesMs, recordsMs, sets },
  ...{ rssMb: after.rssMb - before.rssMb, heapMb: after.heapMb - before.heapMb },
};
process.stdout.write(`used ${JSON.stringify(used)}\n`);
session.close();
process.exit(0);

function memory(): { readonly rssMb: number; readonly heapMb: number } {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { rssMb: rss / MEGABYTE, heapMb: heapUsed / MEGABYTE };
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}
