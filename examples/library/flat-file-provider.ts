/**
 * A provider for a flat file of one zone, one record set a line as JSON:
 *   spec: { type: flat-file, secretRef: { name: any }, providerConfig: { path, zone } }
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import {
  type Capabilities,
  configProblem,
  type DnsName,
  fail,
  fieldsOf,
  ok,
  type PluginModule,
  type Problem,
  type ProviderEnvironment,
  parseDnsName,
  plainTroubles,
  RDATA_FORMATS,
  type RecordSet,
  textOf,
  toProblems,
  vendorType,
  WholeZoneSession,
  type Zone,
} from "zonekeeper/provider";

const COMPARED = { absent: "implied", exact: "implied" } as const;
const CAPABILITIES: Capabilities = {
  types: new Set(RDATA_FORMATS.map(({ type }) => type).filter((type) => type !== "SOA")),
  atomicity: "zone",
  preconditions: { written: COMPARED, others: COMPARED },
  cnameConflicts: "refused",
  batch: { groupsMax: 1000 },
  ttl: { minSeconds: 0, maxSeconds: 2_147_483_647 },
  rate: null,
  zoneListing: "configured",
};

/** One file; a new one is there in one step, or not at all. */
export class FlatFile {
  readonly path: string;
  readonly zone: DnsName;

  constructor(path: string, zone: DnsName) {
    this.path = path;
    this.zone = zone;
  }

  sets(): readonly RecordSet[] {
    const lines = readFileSync(this.path, "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line): RecordSet => JSON.parse(line));
  }

  write(sets: readonly RecordSet[]): void {
    writeFileSync(`${this.path}.new`, sets.map((set) => `${JSON.stringify(set)}\n`).join(""));
    renameSync(`${this.path}.new`, this.path);
  }
}

export class FlatFileSession extends WholeZoneSession {
  readonly capabilities = CAPABILITIES;
  readonly #file: FlatFile;

  constructor(file: FlatFile, environment: ProviderEnvironment) {
    super(environment, "correct the rights of the file");
    this.#file = file;
  }

  async zones(): Promise<readonly Zone[]> {
    const { path, zone: name } = this.#file;
    return [{ id: name, name, providerType: "flat-file", endpoint: path, view: "" }];
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return toProblems(set, plainTroubles(set, zone, { vendor: "a file", ...CAPABILITIES }));
  }

  protected setsIn(): readonly RecordSet[] {
    return this.#file.sets();
  }

  protected async replaceSets(_zone: Zone, sets: readonly RecordSet[]): Promise<void> {
    this.#file.write(sets);
  }
}

export const FLAT_FILE = vendorType<FlatFile>(
  "flat-file",
  ({ config }) => {
    const { path, zone } = fieldsOf(config);
    const name = parseDnsName(textOf(zone) ?? "");
    const file = textOf(path);
    if (file === null) return fail([configProblem("path", "must be the path of a file")]);
    if (!name.ok) return fail([configProblem("zone", `must be a zone: ${name.error}`)]);
    return ok(new FlatFile(file, name.value));
  },
  (file, environment) => new FlatFileSession(file, environment),
);

export const plugin: PluginModule = { api: 1, name: "acme-flat-file", providers: [FLAT_FILE] };
