/**
 * The conformance suite on the provider of examples/library, as somebody else would write one: what
 * the example shows is held to what our own are.
 */
import { join } from "node:path";
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { FlatFile, FlatFileSession } from "../../examples/library/flat-file-provider.ts";
import type { RecordSet } from "../../src/model/record-set.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { realEnvironment } from "../support/values/rfc2136-session.ts";
import { providerConformance } from "./provider.ts";
import { type ProviderHarness, recordSet } from "./provider-harness.ts";

/** `losesAnswer`: the next write is made, and its answer lost. */
class LosingFile extends FlatFile {
  losesAnswer = false;

  override write(sets: readonly RecordSet[]): void {
    super.write(sets);
    const isLost = this.losesAnswer;
    this.losesAnswer = false;
    const [code, message] = ["ConnectionLost", "the answer was lost"];
    if (isLost) throw new OperationError({ code, message, retry: "backoff" });
  }
}

async function flatFileHarness(): Promise<ProviderHarness> {
  const folder = makeTempFolder("flat-file");
  const path = join(folder.path, "example.org.jsonl");
  const file = new LosingFile(path, trustedDnsName("example.org"));
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
    stop: async () => folder.remove(),
  };
}

providerConformance("flat file", { atomicity: "zone", preconditions: true }, flatFileHarness);
