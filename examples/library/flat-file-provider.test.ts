/** The suite of providers on a file, on node:test: `node --test flat-file-provider.test.js`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { OperationError, parseDnsName, type RecordSet } from "zonekeeper/provider";
import { fakeEnvironment, recordSet, testProvider } from "zonekeeper/testing";
import { FlatFile, FlatFileSession } from "./flat-file-provider.js";

/** The answer of the next write can be lost. */
class LosingFile extends FlatFile {
  isLosing = false;

  override write(sets: readonly RecordSet[]): void {
    super.write(sets);
    const isLost = this.isLosing;
    this.isLosing = false;
    const [code, message] = ["ConnectionLost", "the answer was lost"];
    if (isLost) throw new OperationError({ code, message, retry: "backoff" });
  }
}

testProvider(
  { describe, test, before, after, afterEach },
  {
    title: "flat file",
    expects: { atomicity: "zone", preconditions: true },
    start: async () => {
      const zone = parseDnsName("example.org");
      if (!zone.ok) throw new Error(zone.error);
      const folder = mkdtempSync(join(tmpdir(), "flat-file-"));
      const file = new LosingFile(join(folder, "example.org.jsonl"), zone.value);
      const soa = "ns1.example.org hostmaster.example.org 1 3600 600 86400 300";
      file.write([
        recordSet(zone.value, "SOA", soa),
        recordSet(zone.value, "NS", "ns1.example.org"),
      ]);
      return {
        zone: zone.value,
        open: (rails = {}) => new FlatFileSession(file, fakeEnvironment(rails)),
        poll: async (name, type) => {
          const set = file.sets().find((one) => one.name === name && one.type === type);
          return set === undefined ? null : { ttlSeconds: set.ttlSeconds, values: set.values };
        },
        addForeign: async (set) => file.write([...file.sets(), set]),
        loseNextAnswer: () => {
          file.isLosing = true;
        },
        settle: async () => undefined,
        stop: async () => rmSync(folder, { recursive: true }),
      };
    },
  },
);
