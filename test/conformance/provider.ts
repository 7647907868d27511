/**
 * The one suite that every provider passes: memory, the embedded server, BIND, Knot, PowerDNS, and
 * whatever comes. It knows the contract of providers/provider.ts and nothing else; where a back end
 * is weaker it says so in its capabilities, and only those are asked.
 */
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import type { ProviderSession } from "../../src/providers/provider.ts";
import { applyingCases } from "./provider-applying.ts";
import { borderCases } from "./provider-borders.ts";
import { brokenCallCases } from "./provider-broken-calls.ts";
import type { ProviderHarness, Rails } from "./provider-harness.ts";
import { memberCases } from "./provider-members.ts";
import { preconditionCases } from "./provider-preconditions.ts";
import { sequenceCases } from "./provider-sequence.ts";
import { snapshotCases } from "./provider-snapshots.ts";
import { textCases } from "./provider-text.ts";
import { troubleCases } from "./provider-trouble.ts";

/** What the cases get: a running harness, and whether the back end is expected to be atomic. */
export interface Subject {
  harness(): ProviderHarness;
  /** Full name of a record in the zone of the harness. */
  at(label: string): string;
  readonly expects: Expectations;
}

/**
 * What is promised about the back end; compared with its capabilities, so that a promise cannot
 * fade unseen.
 */
export interface Expectations {
  readonly atomicity: "zone" | "set" | "value";
  /** `absent`: a set that exists is not created, and nothing else is compared. */
  readonly preconditions: boolean | "absent";
  /** Texts without any byte are refused, and `audit` says so. Absent = they are taken. */
  readonly refusesEmptyText?: true;
  /** Texts are of ASCII without quotes and backslashes; `audit` says so. Absent = of all bytes. */
  readonly plainTexts?: true;
  /** An API over HTTP, with its fake: its calls can be broken. Absent = they cannot. */
  readonly isFake?: true;
  /** Another protocol whose calls can be broken. Absent = see `isFake`. */
  readonly isBreakable?: true;
  /** Lines of hosts: no texts, no markers, no wildcards, no TTL of addresses. Absent = others. */
  readonly hostsOnly?: true;
  /** MX is no type of it. Absent = it is. */
  readonly lacksMail?: true;
  /** Members of a weighted routing policy are written. Absent = there are none. */
  readonly weights?: true;
  /** Names that are written one after the other. Absent = 500. */
  readonly many?: number;
  /** What the apex shows of SOA and NS. Absent = both. */
  readonly apex?: readonly string[];
}

/**
 * Declares the suite. `start` is called once; all cases share the zone and use names of their own.
 */
export function providerConformance(
  title: string,
  expects: Expectations,
  start: () => Promise<ProviderHarness>,
): void {
  describe(`provider conformance: ${title}`, () => {
    let running: ProviderHarness | null = null;
    let opened: readonly ProviderSession[] = [];
    beforeAll(async () => {
      const started = await start();
      const open = (rails?: Rails): ProviderSession => {
        const session = started.open(rails);
        opened = [...opened, session];
        return session;
      };
      running = { ...started, open };
    });
    // Servers allow few idle connections (PowerDNS 20): each case leaves none.
    afterEach(() => {
      for (const session of opened) session.close();
      opened = [];
    });
    afterAll(async () => {
      await running?.stop();
    });
    const harness = (): ProviderHarness => {
      if (running === null) throw new Error("the harness did not start");
      return running;
    };
    const at = (label: string): string =>
      label === "@" ? harness().zone : `${label}.${harness().zone}`;
    const subject: Subject = { harness, at, expects };
    applyingCases(subject);
    preconditionCases(subject);
    snapshotCases(subject);
    if (expects.hostsOnly !== true) {
      sequenceCases(subject);
      textCases(subject);
    }
    troubleCases(subject);
    memberCases(subject);
    brokenCallCases(subject);
    borderCases(subject);
  });
}
