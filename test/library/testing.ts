/**
 * `zonekeeper/testing`: the suites that our own sources, providers and registries pass, for
 * somebody else's, on node:test or vitest; and a clock, a cluster and a network that tests turn.
 */
import type { Net } from "@zonekeeper/base/ports/net";
import { RealCrypto } from "../../src/app/ports/real-crypto.ts";
import type { ProviderEnvironment } from "../../src/providers/provider.ts";
import { guardedHttp } from "../../src/providers/shared/guarded-http.ts";
import { describeRegistry, type RegistryUnderTest } from "../conformance/ownership.ts";
import { type Expectations, providerConformance } from "../conformance/provider.ts";
import type { ProviderHarness, Rails } from "../conformance/provider-harness.ts";
import { MemoryLog, SeededRandom } from "../support/ports/test-ports.ts";
import { VirtualClock } from "../support/ports/virtual-clock.ts";
import { asPlugin } from "./plugin-registry.ts";
import { type SourceUnderTest, sourceConformance } from "./source-conformance.ts";
import { declareOn, type SuiteRunner } from "./suite-runner.ts";

export type { RegistryUnderTest } from "../conformance/ownership.ts";
export type { Expectations } from "../conformance/provider.ts";
export { type ProviderHarness, type Rails, recordSet } from "../conformance/provider-harness.ts";
export { VirtualClock } from "../support/ports/virtual-clock.ts";
export { MemoryCluster } from "../support/worlds/memory-cluster.ts";
export type { SourceCase, SourceUnderTest } from "./source-conformance.ts";
export type { SuiteRunner } from "./suite-runner.ts";

/** The suite of sources. Declares its cases on the runner. */
export function testSource(runner: SuiteRunner, source: SourceUnderTest): void {
  declareOn(runner, () => sourceConformance(source));
}

/**
 * The suite of providers: sessions on one zone of a running back end, an independent reader, a
 * stranger who writes. `start` is called once.
 */
export function testProvider(
  runner: SuiteRunner,
  { title, expects, start }: ProviderUnderTest,
): void {
  declareOn(runner, () => providerConformance(title, expects, start));
}

/** A provider, and what is promised about its back end. */
export interface ProviderUnderTest {
  readonly title: string;
  readonly expects: Expectations;
  readonly start: () => Promise<ProviderHarness>;
}

/** The suite of registries, behind the guard that they have in the program. */
export function testRegistry(runner: SuiteRunner, registry: RegistryUnderTest): void {
  declareOn(runner, () => describeRegistry(asPlugin(registry)));
}

/** No socket leads anywhere. */
export const NO_NET: Net = {
  connectTcp: () => Promise.reject(new Error("no network")),
  listenTcp: () => Promise.reject(new Error("no network")),
  bindUdp: () => Promise.reject(new Error("no network")),
};

/** What a session is opened with: fake time, chance from a seed, no network but what is given. */
export function fakeEnvironment(given: Partial<ProviderEnvironment> = {}): ProviderEnvironment {
  const rails: Rails = { dryRun: false, ...given };
  const noHttp = (): never => {
    throw new Error("no network");
  };
  return {
    ...{ net: NO_NET, clock: new VirtualClock(), random: new SeededRandom(1) },
    ...{ crypto: new RealCrypto(), log: new MemoryLog(), dryRun: false },
    http: guardedHttp(noHttp, { dryRun: rails.dryRun === true }),
    ...given,
  };
}
