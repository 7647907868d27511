/** Z-18: an account whose server refuses the proof is a secondary, or has no right to the zone. */
import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { ProviderSession } from "../../providers/provider.ts";
import type { WayFailure } from "../contract/zone.ts";

/** The session as that of a server that takes no UPDATE. */
function readOnly(session: ProviderSession): ProviderSession {
  const apply: ProviderSession["apply"] = async function* (_, groups) {
    yield* groups.map(
      ({ name }) => ({ name, status: "rejected", code: "REFUSED", message: "Refused" }) as const,
    );
  };
  const get = (_: ProviderSession, key: keyof ProviderSession): unknown => {
    const value: unknown = key === "apply" ? apply : session[key];
    return typeof value === "function" ? value.bind(session) : value;
  };
  return new Proxy(session, { get: get as never });
}

/** A secondary, which takes no UPDATE, is older than the account of the primary. */
function withSecondary(first: "primary" | "secondary", isPrimaryTrusted = true) {
  const world = engineWorld();
  const { engine, zoneInput, clock } = world;
  const why: (string | null)[] = [];
  const facts = (sinceMs: number, provider: string, isTrusted: boolean) => ({
    facts: () => ({ sinceMs, isTrusted, providers: [provider], sameAs: [], otherThan: [] }),
  });
  const secondary = {
    ...zoneInput,
    ...facts(1, "platform/secondary", true),
    key: { ...KEY, account: "b" },
    session: readOnly(zoneInput.session),
    zone: { ...zoneInput.zone, endpoint: "198.51.100.7" },
    onTrouble: (one: WayFailure | null) => why.push(one?.message ?? null),
  };
  const primary = { ...zoneInput, ...facts(2, "platform/real", isPrimaryTrusted) };
  const start = async (): Promise<void> => {
    engine.openZone(first === "primary" ? primary : secondary);
    await clock.advance(5_000);
    engine.openZone(first === "primary" ? secondary : primary);
    await clock.advance(120_000);
  };
  return { ...world, start, why };
}

test.each(["secondary", "primary"] as const)(
  "an older account that refuses the proof gives way to the one that takes it: the %s comes first",
  async (first) => {
    const { engine, clock, start, values, why } = withSecondary(first);
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await start();
    expect(values("www")).toEqual(["192.0.2.1"]);
    await clock.advance(1_200_000);
    engine.contribute(KEY, entry("www", ["192.0.2.2"]));
    await clock.advance(60_000);
    expect(values("www")).toEqual(["192.0.2.2"]);
    expect(why.at(-1)).toMatch(/cannot be written at 198\.51\.100\.7: .*Refused/);
    await engine.stop();
  },
);

test("an account that refuses the proof gives way to no younger tenant", async () => {
  const { engine, start, values, why } = withSecondary("secondary", false);
  engine.contribute(KEY, entry("www", ["192.0.2.66"]));
  await start();
  expect(values("www")).toEqual([]);
  expect(why.at(-1)).toBeNull();
  await engine.stop();
});
