/**
 * How many requests the whole engine makes on the fake of each vendor, with markers of the TXT
 * registry: for one change and one that comes too soon; in the campaign one that is refused, and a
 * thousand. The least follows from the limits on each vendor's page. docs/reference/providers.md
 * shows the figures.
 */
import { describe, expect, type TestContext, test } from "vitest";
import { startEmbeddedHarness } from "../conformance/embedded-harness.ts";
import { type ProviderHarness, recordSet } from "../conformance/provider-harness.ts";
import { aliDnsHarness } from "../support/fakes/alidns/harness.ts";
import { azureHarness } from "../support/fakes/azure/harness.ts";
import { cloudflareHarness } from "../support/fakes/cloudflare/harness.ts";
import { coreDnsHarness } from "../support/fakes/coredns/harness.ts";
import { designateHarness } from "../support/fakes/designate/harness.ts";
import { googleHarness } from "../support/fakes/google/harness.ts";
import { infobloxHarness } from "../support/fakes/infoblox/harness.ts";
import { powerDnsHarness } from "../support/fakes/powerdns/harness.ts";
import { route53Harness } from "../support/fakes/route53/harness.ts";
import { webhookHarness } from "../support/fakes/webhook/harness.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { type Calls, type VendorWorld, vendorWorld } from "../support/worlds/vendor-world.ts";

/** Requests at most: those that write, and those that read. */
interface Price {
  readonly writes: number;
  readonly reads: number;
}

/** What compares what it writes reads nothing. */
const ONE: Price = { writes: 1, reads: 0 };
/** Read right before the call, and right after it, the marker's name with it (Z-27). */
const VERIFIED: Price = { writes: 1, reads: 2 };
/**
 * Marker, data, marker (Z-10), with a reading between two of them, and one before the first where
 * it compares nothing.
 */
const STEPS: Price = { writes: 3, reads: 3 };

interface Vendor {
  readonly type: string;
  readonly start: () => Promise<ProviderHarness>;
  readonly one: Price;
  /** Calls that write 1000 new names, 1000 changed values and 1000 removals, or fewer, at least. */
  readonly least: readonly [created: number, changed: number, removed: number];
  /** Listings for a thousand; absent = none. */
  readonly listings?: number;
  /** Requests for a thousand besides those that write and the listings; absent = none. */
  readonly others?: number;
}

/** A record set a call: of fewer names, whose calls are as many for each of them. */
const STEP_NAMES = 100;
const EACH_STEP = [3 * STEP_NAMES, 3 * STEP_NAMES, 3 * STEP_NAMES] as const;

const VENDORS: readonly Vendor[] = [
  // One record a call: a pending marker, the data, the marker; each step after a reading.
  { type: "alicloud-dns", start: aliDnsHarness, one: STEPS, least: EACH_STEP, listings: 3 },
  {
    type: "aws-route53",
    start: () => route53Harness("common"),
    one: ONE,
    // 32 000 characters of values: 127 of a name and its marker. A change names the marker twice,
    // deleted and created, so that it fails where somebody else has changed that (Z-8).
    least: [4, 8, 4],
  },
  {
    type: "azure-dns",
    start: () => azureHarness(false, true),
    one: STEPS,
    least: EACH_STEP,
    listings: 3,
  },
  {
    type: "azure-private-dns",
    start: () => azureHarness(true, true),
    one: STEPS,
    least: EACH_STEP,
    listings: 3,
  },
  {
    type: "cloudflare-dns",
    start: () => cloudflareHarness("free"),
    one: VERIFIED,
    // 200 records: data and marker. What is changed is deleted and created: a new id is all by
    // which the API tells that somebody else changed it.
    least: [10, 20, 10],
    listings: 2,
  },
  // 128 compares: four of a new name and its marker, six where they exist.
  { type: "coredns-etcd", start: coreDnsHarness, one: ONE, least: [32, 48, 48] },
  {
    type: "external-dns-webhook",
    start: webhookHarness,
    // There are listings only; the data is adjusted by the webhook first (/adjustendpoints).
    one: { ...STEPS, reads: 4 },
    least: EACH_STEP,
    listings: 4,
    others: STEP_NAMES,
  },
  {
    type: "google-clouddns",
    start: googleHarness,
    one: ONE,
    // 1000 additions and deletions, 100 000 bytes: a change names the marker twice, as on Route53.
    least: [2, 3, 2],
  },
  {
    type: "infoblox-dns",
    start: infobloxHarness,
    one: VERIFIED,
    // A thousand parts of a transaction: data and marker.
    least: [2, 2, 2],
    listings: 2,
  },
  {
    type: "openstack-designate",
    start: designateHarness,
    one: STEPS,
    least: EACH_STEP,
    listings: 3,
  },
  {
    type: "powerdns",
    start: powerDnsHarness,
    one: VERIFIED,
    least: [1, 1, 1],
    listings: 2,
  },
  // 64 KiB of a message: 257 bytes of a new name with its prerequisites, 345 of a removal.
  { type: "rfc2136", start: startEmbeddedHarness, one: ONE, least: [4, 4, 6] },
];

const cases = VENDORS.map((vendor) => [vendor.type, vendor] as const);

/** Of calls that write. */
const SURPLUS_MAX = 1.05;

async function worldOf(
  context: TestContext,
  { start }: Vendor,
): Promise<[VendorWorld, ProviderHarness]> {
  const harness = await start();
  const world = await vendorWorld(harness);
  context.onTestFinished(() => world.stop());
  return [world, harness];
}

const labelled = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${index}`);

const sum = ({ writes, reads }: Calls): number => writes + reads;

/** For docs/reference/providers.md: `writes + reads` by column. */
function note(
  { task }: Pick<TestContext, "task">,
  column: string,
  { writes, reads }: Calls,
  more = "",
): void {
  const known = (task.meta as { calls?: object }).calls;
  const cell = (reads === 0 ? `${writes}` : `${writes} + ${reads}`) + more;
  Object.assign(task.meta, { calls: { ...known, [column]: cell } });
}

const [FIRST, SECOND, THIRD] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];

describe("calls of one name, without a listing", () => {
  test.concurrent.for(cases)("%s", async ([, vendor], context) => {
    const [world, harness] = await worldOf(context, vendor);
    const { one } = vendor;
    for (const column of ["a new name", "a changed value"]) {
      const calls = await world.publish(["www"], column === "a new name" ? FIRST : SECOND);
      expect(calls.writes, column).toBe(one.writes);
      expect(calls.reads, column).toBeLessThanOrEqual(one.reads);
      note(context, column, calls);
      if (harness.throttleNext === undefined || column === "a new name") continue;
      world.beforeNextWrite(async () => harness.throttleNext?.(1));
      const throttled = await world.publish(["www"], THIRD);
      expect(sum(throttled) - sum(calls), "a throttle adds only its own repetition").toBe(1);
      note(context, "the same, one call too many", throttled);
    }
  });
});

describeReal("calls of 250 names of which one is refused", ["variants"], () => {
  test.concurrent.for(cases)("%s", async ([, vendor], context) => {
    const [fairWorld] = await worldOf(context, vendor);
    const fair = await fairWorld.publish(labelled("c", 250), FIRST);
    const [world, harness] = await worldOf(context, vendor);
    // A stranger takes the name between the last reading of it and the call.
    const foreign = recordSet("c7.example.org", "CNAME", "other.example.net");
    world.beforeNextWrite(() => harness.addForeign(foreign));
    const calls = await world.publish(labelled("c", 250), FIRST, ["c7"]);
    expect(world.stateOf("c7")).toContain("held");
    note(context, "250 new names", fair);
    note(context, "the same, one refused", calls);
  });
});

describeReal("calls of a thousand names with their markers", ["variants"], () => {
  test.concurrent.for(cases)("%s", async ([, vendor], context) => {
    const [world] = await worldOf(context, vendor);
    const { least, listings = 0, others = 0 } = vendor;
    const count = least === EACH_STEP ? STEP_NAMES : 1000;
    const labels = labelled("n", count);
    const rounds = [
      ["1000 new names", () => world.publish(labels, FIRST)],
      ["1000 changed values", () => world.publish(labels, SECOND)],
      ["1000 removals", () => world.remove(labels)],
    ] as const;
    let listing = 0;
    for (const [index, [column, act]] of rounds.entries()) {
      const calls = await act();
      listing = Math.max(listing, await world.listingCalls());
      const wanted = least[index] ?? 0;
      expect(calls.writes, column).toBeGreaterThanOrEqual(wanted);
      expect(calls.writes, column).toBeLessThanOrEqual(wanted * SURPLUS_MAX);
      const surplus = Math.floor(wanted * SURPLUS_MAX) - calls.writes;
      expect(calls.reads, column).toBeLessThanOrEqual(listings * listing + others + surplus);
      note(context, column, calls, count === 1000 ? "" : ` (of ${count})`);
    }
  });
});
