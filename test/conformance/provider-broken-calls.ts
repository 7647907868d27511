/**
 * Conformance when the vendor's API fails: server errors, answers that are cut, credentials that
 * expire. The calls of fakes are broken; nothing here knows an API.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { expect } from "vitest";
import type { RecordSet } from "../../src/model/record-set.ts";
import type { ProviderSession } from "../../src/providers/provider.ts";
import { applyBatch } from "../../src/sync/calls/apply-batches.ts";
import type { ApiFault, BreakableFake } from "../support/fakes/fake-api.ts";
import type { Subject } from "./provider.ts";
import {
  applyStatus,
  create,
  mustApply,
  type ProviderHarness,
  recordSet,
  soon,
  zoneOf,
} from "./provider-harness.ts";
import { testWhere } from "./test-where.ts";

/** As what stands before an API answers when nothing behind it does. */
const page = (status: number): ApiFault => ({
  is: "refused",
  status,
  body: `<html><body><h1>${status}</h1></body></html>`,
  headers: { "content-type": "text/html" },
});
const SERVER_ERRORS = [500, 502, 503];
const STATUS_FORBIDDEN = 403;
/** Where what happened is not known, the name is read; it is tried again either way. */
const TRIED_AGAIN = ["unknown", "retry"];

/** Of APIs, and of DNS servers, where an answer without a signature is none. */
const UNAVAILABLE = ["ProviderUnavailable", "ServerFailed", "BadAnswer"];
const BAD_KEY = ["ProviderCredentials", "BadCredentials"];

/** What a batch waits for. */
const UNHINDERED = {
  budget: { write: async () => undefined, slowDown: () => undefined },
  isDue: () => true,
} as const;

/** Declares the cases. */
export function brokenCallCases({ harness, at, expects }: Subject): void {
  const isFake = expects.isFake === true || expects.isBreakable === true;

  for (const status of SERVER_ERRORS)
    testWhere(
      isFake,
      `${status}: the call is tried again later, and changes nothing else`,
      async () => {
        const { fake, session } = subjectOf(harness());
        const neighbour = recordSet(at(`beside-${status}`), "A", "192.0.2.9");
        await mustApply(session, [create(neighbour)]);
        const set = recordSet(at(`down-${status}`), "A", "192.0.2.1");
        fake.breakNext(fake.writes, page(status));
        expect(TRIED_AGAIN).toContain(await applyStatus(session, create(set)));
        expect(await harness().poll(set.name, "A")).toBeNull();
        expect(await harness().poll(neighbour.name, "A")).not.toBeNull();
        expect(UNAVAILABLE).toContain((await brokenListing(session, fake, page(status))).code);
        await mustApply(session, [create(set)]);
        expect(await harness().poll(set.name, "A")).not.toBeNull();
      },
    );

  for (const [is, title] of [
    ["half", "a page whose end is missing is no reading, and no shorter zone"],
    ["shortened", "a page that is cut and says that it is whole is no reading, either"],
  ] as const)
    testWhere(isFake, title, async () => {
      const { fake, session } = subjectOf(harness());
      const labels = Array.from({ length: 20 }, (_, index) => `${is}-page-${index}`);
      for (const label of labels)
        await mustApply(session, [create(recordSet(at(label), "A", "192.0.2.1"))]);
      const whole = await readAll(session);
      await brokenListing(session, fake, { is });
      expect(await readAll(session)).toEqual(whole);
    });

  testWhere(
    expects.isFake === true,
    "a right that is missing is told with what to do, and nothing is written",
    async () => {
      const { fake, session } = subjectOf(harness());
      const zone = await zoneOf(session);
      const set = recordSet(at("forbidden"), "A", "192.0.2.1");
      fake.breakNext(fake.writes, page(STATUS_FORBIDDEN));
      const context = { ...UNHINDERED, session, zone, signal: soon() };
      const [result] = await applyBatch(context, [create(set)]);
      expect(result?.outcome).toMatchObject({
        status: expect.stringMatching(/^(retry|rejected)$/),
      });
      expect(JSON.stringify(result?.outcome)).toMatch(/; (correct|give) /);
      expect(await harness().poll(set.name, "A")).toBeNull();
      fake.breakNext(fake.listings, page(STATUS_FORBIDDEN));
      const refused = await troubleOf(() => session.records(zone, null, soon()));
      expect([refused.code, refused.message]).toEqual([
        "ProviderCredentials",
        expect.stringMatching(/; (correct|give) /),
      ]);
      await mustApply(session, [create(set)]);
    },
  );

  testWhere(isFake, "credentials that expire are named, and new ones work", async () => {
    const { fake, session } = subjectOf(harness());
    const set = recordSet(at("expired"), "A", "192.0.2.1");
    const zone = await zoneOf(session);
    const whole = await readAll(session);
    const secrets = fake.renewCredentials();
    const refused = await troubleOf(() => session.records(zone, null, soon()));
    expect(BAD_KEY).toContain(refused.code);
    for (const secret of secrets) expect(messageOf(refused)).not.toContain(secret);
    const results = await applyBatch({ ...UNHINDERED, session, zone, signal: soon() }, [
      create(set),
    ]);
    expect(results).toMatchObject([{ outcome: { status: "retry" } }]);
    for (const secret of secrets) expect(JSON.stringify(results)).not.toContain(secret);
    expect(await harness().poll(set.name, "A")).toBeNull();
    const renewed = harness().open();
    expect(await readAll(renewed)).toEqual(whole);
    await mustApply(renewed, [create(set)]);
  });
}

/** A fake and a session on it. */
export function subjectOf(harness: ProviderHarness): {
  readonly fake: BreakableFake;
  readonly session: ProviderSession;
} {
  if (harness.fake === undefined)
    throw new Error("calls can be broken, and the harness has no fake");
  return { fake: harness.fake, session: harness.open() };
}

async function readAll(session: ProviderSession): Promise<readonly RecordSet[]> {
  return (await session.records(await zoneOf(session), null, soon())).sets;
}

/** A listing that fails at its next call must say so, and that it may be tried again. */
async function brokenListing(
  session: ProviderSession,
  fake: BreakableFake,
  fault: ApiFault,
): Promise<OperationError> {
  const zone = await zoneOf(session);
  fake.breakNext(fake.listings, fault);
  const trouble = await troubleOf(() => session.records(zone, null, soon()));
  expect(trouble.retry).toBe("backoff");
  return trouble;
}

async function troubleOf(act: () => Promise<unknown>): Promise<OperationError> {
  const thrown = await act().then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof OperationError) return thrown;
  throw new Error(`no OperationError: ${thrown === null ? "it was read" : messageOf(thrown)}`);
}
