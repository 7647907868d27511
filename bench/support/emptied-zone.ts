/** Takes out of a zone of BIND what publishers have written: all but its apex and its servers. */
import { transfer } from "../../test/support/clients/dig.ts";
import { nsupdate } from "../../test/support/clients/nsupdate.ts";
import type { RealServer } from "../../test/support/real-servers/real-server.ts";

const NAMES_AT_ONCE = 300;

/** Resolves when they are gone. Throws what nsupdate says. */
export async function emptyZone({ port, zone, key }: RealServer): Promise<void> {
  const records = await transfer({ port, name: zone, key });
  const kept = new Set([`${zone}.`]);
  for (const { type, rdata } of records) if (type === "NS") kept.add(rdata);
  const names = [...new Set(records.map(({ name }) => name))].filter((name) => !kept.has(name));
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const lines = names.slice(at, at + NAMES_AT_ONCE).map((name) => `update delete ${name}`);
    const { code, stderr } = await nsupdate({ port, zone, key }, lines);
    if (code !== 0) throw new Error(`nsupdate: ${stderr}`);
  }
}
