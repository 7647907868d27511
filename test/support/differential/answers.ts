/** Answers of an external-dns to worlds, as they are recorded: a line for each record set. */
import { readFileSync, writeFileSync } from "node:fs";
import { NAMESPACE } from "@zonekeeper/kube/objects/kinds";
import { leftByExternalDns } from "./external-dns.ts";
import type { Located } from "./objects.ts";
import { type Endpoint, NODES, type World } from "./worlds.ts";

/** The records that an external-dns left in the domain of a world, before and after the edits. */
export interface Answers {
  readonly first: readonly Endpoint[];
  readonly second: readonly Endpoint[];
}

const FILE = new URL("./recorded.json", import.meta.url);

/** Answers of external-dns 0.22, by `EXTERNAL_DNS_RECORD=1`. */
export function recordedAnswers(): readonly Answers[] {
  const all = JSON.parse(readFileSync(FILE, "utf8")) as readonly (readonly [string[], string[]])[];
  return all.map(([first, second]) => ({ first: first.map(read), second: second.map(read) }));
}

/** In place of those that are recorded. */
export function record(answers: readonly Answers[]): void {
  const rows = answers.map(({ first, second }) => [first.map(text), second.map(text)]);
  writeFileSync(FILE, `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`);
}

/** Asks the program itself, once for all worlds in each of their two states. */
export async function askedAnswers(
  bin: string,
  worlds: readonly World[],
): Promise<readonly Answers[]> {
  const objects = (of: (world: World) => World["before"]) => {
    const all = worlds.flatMap(of);
    const names = new Set(all.map(({ object }) => object.metadata.namespace ?? ""));
    return [...NODES, ...[...names].map(namespaceOf), ...all];
  };
  const zone = worlds.flatMap((one) => one.zone);
  const first = await leftByExternalDns(
    bin,
    zone,
    objects(({ before }) => before),
  );
  const second = await leftByExternalDns(
    bin,
    first,
    objects(({ after }) => after),
  );
  return worlds.map(({ domain }) => {
    const isIn = ({ dnsName }: Endpoint): boolean => dnsName.endsWith(`.${domain}`);
    return { first: first.filter(isIn), second: second.filter(isIn) };
  });
}

function namespaceOf(name: string): Located {
  const metadata = { name };
  return { kind: NAMESPACE, object: { apiVersion: "v1", kind: "Namespace", metadata } };
}

function text({ dnsName, recordTTL = 0, recordType, targets }: Endpoint): string {
  return [dnsName, recordTTL, recordType, ...targets].join(" ");
}

function read(line: string): Endpoint {
  const [dnsName = "", ttl, recordType = "", ...targets] = line.split(" ");
  return { dnsName, recordTTL: Number(ttl), recordType, targets };
}
