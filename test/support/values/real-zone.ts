/**
 * One zone on a real server, judged by dig (or kdig) and disturbed by nsupdate. Names are given as
 * labels below the zone.
 */
import {
  type DigAnswer,
  type DigQuestion,
  digOnChange,
  transfer,
  valuesOf,
} from "../clients/dig.ts";
import { nsupdate } from "../clients/nsupdate.ts";
import { eventually } from "../ports/eventually.ts";
import type { RealServer } from "../real-servers/real-server.ts";

/** See above; `@` is the apex. */
export class RealZone {
  readonly server: RealServer;
  readonly #dig: (question: DigQuestion) => Promise<DigAnswer>;

  constructor(server: RealServer, program: "dig" | "kdig" = "dig") {
    this.server = server;
    this.#dig = digOnChange(program);
  }

  /** `label.zone`. */
  name(label: string): string {
    return label === "@" ? this.server.zone : `${label}.${this.server.zone}`;
  }

  /** Rdata of the answer, sorted; nothing for NODATA and NXDOMAIN. Throws when nobody answers. */
  async answers(label: string, type = "A"): Promise<readonly string[]> {
    return valuesOf(await this.#dig({ port: this.server.port, name: this.name(label), type }));
  }

  /** Waits until it answers exactly this. */
  async becomes(label: string, type: string, ...rdata: readonly string[]): Promise<void> {
    const wanted = JSON.stringify([...rdata].sort());
    await eventually(
      `${this.name(label)} ${type} answers ${wanted}`,
      () => this.answers(label, type).catch(() => ["no answer"]),
      (seen) => JSON.stringify(seen) === wanted,
    );
  }

  /** The whole zone by transfer, `name type rdata`, sorted, without the SOA. */
  async content(): Promise<readonly string[]> {
    const { port, key, zone } = this.server;
    const records = await transfer({ port, name: zone, key });
    return records
      .filter(({ type }) => type !== "SOA")
      .map(({ name, type, rdata }) => `${name} ${type} ${rdata}`)
      .sort();
  }

  /** The SOA serial. */
  async serial(): Promise<number> {
    const [soa = ""] = await this.answers("@", "SOA");
    return Number(soa.split(" ")[2]);
  }

  /** What a stranger with the key writes, such as `update add www.example.org. 60 A 192.0.2.1`. */
  async foreignWriter(...lines: readonly string[]): Promise<void> {
    const { code, stderr } = await nsupdate(this.server, lines);
    if (code !== 0) throw new Error(`nsupdate: ${stderr}`);
  }
}
