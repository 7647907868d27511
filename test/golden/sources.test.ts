/**
 * Golden tests of the sources: each YAML document holds an object and what its source must find.
 */
import { readdirSync, readFileSync } from "node:fs";
import {
  apiVersionOf,
  type KindRef,
  type KubeObject,
  kindText,
} from "@zonekeeper/kube/objects/kubernetes";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { resourceOf } from "../../src/model/provenance.ts";
import type { DesiredRecordSet } from "../../src/model/record-set.ts";
import { EXTERNAL_DNS_SOURCES } from "../../src/sources/external-dns-rows.ts";
import { openSource, SOURCES, type SourceOptions } from "../../src/sources/index.ts";
import { keptFields } from "../../src/sources/kept-fields.ts";
import type { Found } from "../../src/sources/source.ts";
import { rulesByFlags } from "../support/values/external-dns-flags.ts";
import { DEFAULT_CLASSES } from "../support/worlds/default-classes.ts";
import { MemoryCluster } from "../support/worlds/memory-cluster.ts";

interface Case {
  readonly title: string;
  readonly source: string;
  readonly options?: Partial<SourceOptions>;
  /** Of external-dns. Absent = none. */
  readonly flags?: readonly string[];
  readonly object: KubeObject;
  /** What else is in the cluster, of secondary kinds. */
  readonly beside?: readonly KubeObject[];
  readonly expect: Expectation;
}

/**
 * What was found, as lines: `name ttl type value …; kind/namespace/name`. Absent = empty; complete
 * by default.
 */
interface Expectation {
  readonly items?: readonly string[];
  readonly waiting?: readonly string[];
  readonly problems?: readonly string[];
  readonly complete?: boolean;
}

const folder = new URL("./sources/", import.meta.url);
const files = readdirSync(folder)
  .filter((file) => file.endsWith(".yaml"))
  .sort();

function transferText({ transfer }: DesiredRecordSet): string {
  const permit = transfer?.permit ?? null;
  const permits = permit === null ? "" : ` permits ${permit.owner ?? "its own"} ${permit.resource}`;
  const listed = (transfer?.adopt ?? []).map(({ type, value }) => `${type} ${value}`).join(", ");
  return `${permits}${listed === "" ? "" : ` adopts ${listed}`}${transfer?.claim === true ? " claims" : ""}`;
}

/** `{weighted weight=1 west; alias=true}`. */
function extrasText({ setIdentifier, routingPolicy, properties }: DesiredRecordSet): string {
  const texts = (pairs: object) => Object.entries(pairs).map(([key, value]) => `${key}=${value}`);
  const policy =
    routingPolicy === null
      ? []
      : [`${[routingPolicy.type, ...texts(routingPolicy.parameters)].join(" ")} ${setIdentifier}`];
  const all = [...policy, ...texts(properties)];
  return all.length === 0 ? "" : ` {${all.join("; ")}}`;
}

function lookupText({ lookup }: DesiredRecordSet): string {
  return lookup === undefined ? "" : ` addresses each ${lookup.intervalSeconds} s`;
}

function show(found: Found<DesiredRecordSet>): Required<Expectation> {
  return {
    items: found.items.map(
      (set) =>
        `${set.name} ${set.ttlSeconds ?? "-"} ${set.type} ${set.values.join(" | ")}${extrasText(set)} ; ${set.provenance.cluster === "c1" ? "" : `${set.provenance.cluster}:`}${resourceOf(set.provenance)}${set.owner === null ? "" : ` owner=${set.owner}`}${transferText(set)}${lookupText(set)}`,
    ),
    waiting: found.waiting.map((name) => `${name.name} ${name.reason}`),
    problems: found.problems.map(({ code, subject, field, message }) => {
      return `${code} ${subject}${field === undefined ? "" : ` (${field})`}: ${message}`;
    }),
    complete: found.complete,
  };
}

const KINDS = [...SOURCES, ...EXTERNAL_DNS_SOURCES].flatMap(
  ({ primary, secondary, onDemand = [] }) => [
    ...[primary, ...secondary],
    ...onDemand.map(({ kind }) => kind),
  ],
);

function clusterWith(objects: readonly KubeObject[]): MemoryCluster {
  const cluster = new MemoryCluster("c1");
  for (const object of objects) {
    const isOfIt = (kind: KindRef): boolean =>
      apiVersionOf(kind) === object.apiVersion && kind.kind === object.kind;
    const kind = KINDS.find(isOfIt);
    if (kind === undefined) throw new Error(`no source reads ${object.apiVersion} ${object.kind}`);
    cluster.apply(kind, object);
    const { namespace = "", name } = object.metadata;
    if (object["status"] !== undefined) cluster.setStatus(kind, namespace, name, object["status"]);
  }
  return cluster;
}

describe.each(files)("%s", (file) => {
  const documents = parseAllDocuments(readFileSync(new URL(file, folder), "utf8"));
  const cases = documents.map((document) => document.toJS() as Case);
  test.each(cases.map((c) => [c.title, c] as const))("%s", (_, golden) => {
    const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };
    const { flags, source: name } = golden;
    const isOwnRow = flags === undefined && SOURCES.some((row) => row.name === name);
    const rows = isOwnRow ? SOURCES : EXTERNAL_DNS_SOURCES;
    const byFlags = flags === undefined ? {} : { externalDns: rulesByFlags(...flags) };
    const source = openSource(name, { ...options, ...golden.options, ...byFlags }, rows);
    const cluster = clusterWith(golden.beside ?? []);
    const found = source.endpoints(golden.object, cluster);
    const none = { items: [], waiting: [], problems: [], complete: true };
    expect(show(found)).toEqual({ ...none, ...golden.expect });
    const keep = keptFields(rows).get(kindText(source.primary));
    const kept = keep === undefined ? golden.object : keep(golden.object);
    expect(source.endpoints(kept, cluster), "from kept fields").toEqual(found);
  });
});

test("there are golden files", () => {
  expect(files.length).toBeGreaterThan(2);
});
