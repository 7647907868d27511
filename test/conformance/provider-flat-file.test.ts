/**
 * The conformance suite on a provider for a flat file, which is written here as a new one would be:
 * on `BatchSession`, with what is its own. The file has one record set a line, as JSON.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OperationError } from "@zonekeeper/base/operation-error";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { RDATA_FORMATS } from "@zonekeeper/dns/rdata/index";
import type { Problem } from "../../src/model/problem.ts";
import { hasSameData, isSameKey, type RecordSet } from "../../src/model/record-set.ts";
import type { Zone } from "../../src/model/zone.ts";
import type { ChangeGroup, Outcome } from "../../src/plan/changes.ts";
import type { Capabilities, ProviderEnvironment } from "../../src/providers/provider.ts";
import {
  type Batch,
  BatchSession,
  heldTogether,
} from "../../src/providers/shared/batch-session.ts";
import { refuseWrites } from "../../src/providers/shared/guarded-http.ts";
import type { Listing } from "../../src/providers/shared/pages.ts";
import { plainTroubles } from "../../src/providers/shared/plain-audit.ts";
import { normalizePlain } from "../../src/providers/shared/plain-sets.ts";
import { toProblems } from "../../src/providers/shared/record-troubles.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { realEnvironment } from "../support/values/rfc2136-session.ts";
import { providerConformance } from "./provider.ts";
import { type ProviderHarness, recordSet } from "./provider-harness.ts";

const COMPARED = { absent: "implied", exact: "implied" } as const;
const CAPABILITIES: Capabilities = {
  types: new Set(RDATA_FORMATS.map(({ type }) => type).filter((type) => type !== "SOA")),
  atomicity: "zone",
  preconditions: { written: COMPARED, others: COMPARED },
  cnameConflicts: "refused",
  batch: { groupsMax: 1000 },
  ttl: { minSeconds: 0, maxSeconds: 2_147_483_647 },
  txt: { stringBytesMax: 255, valueBytesMax: 65_000 },
  routingPolicies: new Set(),
  rate: null,
  consistency: "read-your-writes",
};

/** Writes compare the file itself, so that nothing has to be remembered. */
class FlatFileSession extends BatchSession<RecordSet> {
  readonly capabilities = CAPABILITIES;
  readonly #file: FlatFile;

  constructor(file: FlatFile, environment: ProviderEnvironment) {
    super(environment, { refusals: { keyRemedy: "correct the rights of the file" }, itemsMax: 1 });
    this.#file = file;
  }

  async zones(): Promise<readonly Zone[]> {
    const { path, zone: name } = this.#file;
    return [{ id: name, name, providerType: "flat-file", endpoint: path, view: "" }];
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return toProblems(set, plainTroubles(set, zone, { vendor: "a file", ...CAPABILITIES }));
  }

  normalize(set: RecordSet): RecordSet {
    return normalizePlain(set, CAPABILITIES.ttl);
  }

  close(): void {}

  protected questionsMax(): number {
    return 0;
  }

  protected async ask(): Promise<null> {
    return null;
  }

  protected nameOf({ name }: RecordSet): DnsName {
    return name;
  }

  protected toSets(items: readonly RecordSet[]): readonly RecordSet[] {
    return items;
  }

  protected async listZone(): Promise<Listing<RecordSet>> {
    return { items: this.#file.sets(), calls: 1 };
  }

  protected unread(): readonly DnsName[] {
    return [];
  }

  protected batchOf(zone: Zone, groups: readonly ChangeGroup[]): Batch<RecordSet> {
    const troubles = new Map<number, Outcome>();
    let sets = this.#file.sets();
    for (const [index, group] of groups.entries()) {
      const next = setsAfter(sets, group, (set) => this.normalize(set));
      const message = "the file is not as it was read";
      if (next === null)
        troubles.set(index, { name: group.name, status: "precondition-failed", message });
      else sets = next;
    }
    return {
      held: heldTogether(groups, troubles),
      send: async () => {
        refuseWrites(this.environment, zone.name);
        this.#file.write(sets);
        return { after: new Map() };
      },
    };
  }
}

/** Null = its preconditions, or what it changes, are not as they were read. */
function setsAfter(
  sets: readonly RecordSet[],
  group: ChangeGroup,
  normalized: (set: RecordSet) => RecordSet,
): readonly RecordSet[] | null {
  const has = (set: RecordSet): boolean =>
    sets.some((one) => isSameKey(one, set) && hasSameData(one, normalized(set)));
  for (const one of group.preconditions) {
    if (one.is === "exact" && !has(one.set)) return null;
    if (one.is === "absent" && sets.some((set) => isSameKey(set, one.key))) return null;
    if (one.is === "name-unused" && sets.some(({ name }) => name === one.name)) return null;
  }
  const gone = group.changes.flatMap((one) => (one.op === "create" ? [] : [one.previous]));
  const come = group.changes.flatMap((one) => (one.op === "remove" ? [] : [normalized(one.next)]));
  const kept = sets.filter((set) => !gone.some((one) => isSameKey(one, set)));
  const isTaken = come.some(({ name, type }) =>
    kept.some((set) => set.name === name && [set.type, type].includes("CNAME")),
  );
  const isThere = come.some((set) => kept.some((one) => isSameKey(one, set)));
  return gone.every(has) && !isTaken && !isThere ? [...kept, ...come] : null;
}

/** Lines of JSON; `losesAnswer`: the next write is made, and its answer lost. */
class FlatFile {
  readonly zone = trustedDnsName("example.org");
  readonly folder = makeTempFolder("flat-file");
  readonly path = join(this.folder.path, "example.org.jsonl");
  losesAnswer = false;

  sets(): readonly RecordSet[] {
    const lines = readFileSync(this.path, "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line): RecordSet => JSON.parse(line));
  }

  write(sets: readonly RecordSet[]): void {
    writeFileSync(this.path, sets.map((set) => `${JSON.stringify(set)}\n`).join(""));
    const isLost = this.losesAnswer;
    this.losesAnswer = false;
    const [code, message] = ["ConnectionLost", "the answer was lost"];
    if (isLost) throw new OperationError({ code, message, retry: "backoff" });
  }
}

async function flatFileHarness(): Promise<ProviderHarness> {
  const file = new FlatFile();
  const soa = "ns1.example.org hostmaster.example.org 1 3600 600 86400 300";
  file.write([recordSet(file.zone, "SOA", soa), recordSet(file.zone, "NS", "ns1.example.org")]);
  return {
    zone: file.zone,
    open: (rails = {}) => new FlatFileSession(file, realEnvironment(rails)),
    poll: async (name, type) => {
      const set = file.sets().find((one) => one.name === name && one.type === type);
      return set === undefined ? null : { ttlSeconds: set.ttlSeconds, values: set.values };
    },
    addForeign: async (set) => file.write([...file.sets(), set]),
    loseNextAnswer: () => {
      file.losesAnswer = true;
    },
    settle: async () => undefined,
    stop: async () => file.folder.remove(),
  };
}

providerConformance("flat file", { atomicity: "zone", preconditions: true }, flatFileHarness);
