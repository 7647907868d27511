/** After an unknown outcome or a failed precondition, a name is read before it is planned. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { NameLedger } from "./name-ledger.ts";
import type { ReadTime } from "./zone-reader.ts";

/** How names are read. */
export interface Rereading {
  /** Names of one reading at most. */
  readonly most: number;
  /** Reads names with their markers, and `rawNames` as they are in the zone. */
  readonly read: (names: readonly DnsName[], rawNames: readonly string[]) => Promise<ReadTime>;
}

/** Names that were read, each with the time of it. */
export type ReadNames = ReadonlyMap<DnsName, ReadTime>;

/** Reads those of the names that need it; answers them. */
export async function rereadUncertain(
  ledger: NameLedger,
  due: readonly DnsName[],
  { most, read }: Rereading,
): Promise<ReadNames> {
  const times = new Map<DnsName, ReadTime>();
  const names = due.filter((name) => ledger.mustRead(name));
  for (let at = 0; at < names.length; at += most) {
    const part = names.slice(at, at + most);
    const time = await read(
      part,
      part.flatMap((name) => [...ledger.alsoToRead(name)]),
    );
    for (const name of part) {
      ledger.wasRead(name);
      times.set(name, time);
    }
  }
  return times;
}
