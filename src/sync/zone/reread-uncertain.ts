/** After an unknown outcome or a failed precondition, a name is read before it is planned (S12). */
import type { DnsName } from "../../model/dns-name.ts";
import type { Clock } from "../../ports/clock.ts";
import type { NameLedger } from "./name-ledger.ts";

/** How names are read. */
export interface Rereading {
  /** Names of one reading: the provider lists the zone where that costs less than asking. */
  readonly most: number;
  readonly clock: Clock;
  /** Reads names, and raw names with them. */
  readonly read: (names: readonly DnsName[], rawNames: readonly string[]) => Promise<void>;
}

/** What was read, and how long that took. */
export interface ReadNames {
  readonly names: ReadonlySet<DnsName>;
  readonly tookMs: number;
}

/** Reads those of the names that need it; answers them. */
export async function rereadUncertain(
  ledger: NameLedger,
  due: readonly DnsName[],
  { most, clock, read }: Rereading,
): Promise<ReadNames> {
  const sinceMs = clock.monotonicMs();
  const names = due.filter((name) => ledger.mustRead(name));
  for (let at = 0; at < names.length; at += most) {
    const part = names.slice(at, at + most);
    await read(
      part,
      part.flatMap((name) => [...ledger.alsoToRead(name)]),
    );
    for (const name of part) ledger.wasRead(name);
  }
  return { names: new Set(names), tookMs: clock.monotonicMs() - sinceMs };
}
