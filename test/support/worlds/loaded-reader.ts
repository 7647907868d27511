/** The reader of one zone of a memory account, loaded, with what others do to the zone. */
import type { RecordSet } from "../../../src/model/record-set.ts";
import { openTxtOwnership } from "../../../src/ownership/txt/ownership.ts";
import { withOtherFormats } from "../../../src/ownership/with-other-formats.ts";
import { ZoneTexts } from "../../../src/sync/cache/columns/zone-texts.ts";
import { AccountBudget } from "../../../src/sync/calls/account-budget.ts";
import { SYNC_DEFAULTS } from "../../../src/sync/contract/settings.ts";
import { ZoneReader } from "../../../src/sync/zone/zone-reader.ts";
import { CLASS_A, type MemoryBehaviour } from "../memory-provider/behaviour.ts";
import { MemorySession } from "../memory-provider/memory-session.ts";
import { MemoryAccount } from "../memory-provider/provider.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";
import { nameOf, ORIGIN, parseZone } from "../values/zone-text.ts";

/**
 * `asked`: the names of each read of single names; `write` and `remove`: what another client does.
 */
export async function loadedReader(text: string, behaviour: MemoryBehaviour = CLASS_A) {
  const clock = new VirtualClock();
  const account = new MemoryAccount();
  const { zone } = account.addZone({ name: ORIGIN, behaviour });
  const write = (lines: string) => {
    const made = parseZone(lines).map(({ name, type, setIdentifier, ...data }) => {
      const key = { name, type, setIdentifier };
      return { key, next: { ...key, ...data } };
    });
    account.zoneNamed(ORIGIN)?.content.write(made, clock.monotonicMs());
  };
  const remove = (lines: string) => {
    const keys = parseZone(lines).map((key) => ({ key, next: null }));
    account.zoneNamed(ORIGIN)?.content.write(keys, clock.monotonicMs());
  };
  const session = new MemorySession({
    zones: () => account.zones(),
    faults: {
      apply: () => account.faults.apply("", []),
      read: () => account.faults.read("", null),
    },
    environment: { clock, dryRun: false },
  });
  const fences: { readonly sets: readonly RecordSet[]; readonly names: unknown }[] = [];
  const asked: (readonly string[])[] = [];
  const reader = new ZoneReader({
    zoneInput: {
      key: { account: "a", zone: ORIGIN },
      zone,
      session: Object.assign(session, {
        records: ((records) => (of: typeof zone, names: never, signal: AbortSignal) => {
          if (names !== null) asked.push(names);
          return records.call(session, of, names, signal);
        })(session.records),
      }),
      ownership: withOtherFormats(
        openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner === "west" }),
        { apex: ORIGIN, isOwnedByUs: (owner) => owner === "west" },
      ),
      policy: "sync",
      adoption: { mode: "never" },
      managedTypes: new Set(["A"]),
      defaultTtlSeconds: 300,
    },
    texts: new ZoneTexts(),
    owners: () => new Set(["west"]),
    clock,
    settings: SYNC_DEFAULTS,
    budget: new AccountBudget(clock, null),
    signal: new AbortController().signal,
    onFence: (sets, names) => fences.push({ sets, names }),
    wake: () => undefined,
  });
  write(text);
  await reader.load();
  const permittedAt = (name: string) =>
    reader.state?.owned.at(nameOf(name)).map(({ permit }) => permit?.toOwner ?? null);
  return { clock, write, remove, reader, permittedAt, asked, fences };
}
