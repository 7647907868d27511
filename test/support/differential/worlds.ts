/**
 * Random small clusters with a zone, as an external-dns may meet them: each world has two
 * namespaces and a domain of its own, so that many of them fit into one cluster and one zone. Equal
 * seeds give equal worlds; who changes what they give records new answers.
 */
import { INGRESS, NODE, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { type KindRef, kindText } from "@zonekeeper/kube/objects/kubernetes";
import {
  DNS_ENDPOINT,
  HTTP_ROUTE,
  ISTIO_GATEWAY,
  VIRTUAL_SERVICE,
} from "../../../src/model/kinds.ts";
import { Chance } from "./chance.ts";
import { type Located, objectsOf } from "./objects.ts";

/** A record set as providers of external-dns have it. */
export interface Endpoint {
  readonly dnsName: string;
  readonly recordType: string;
  readonly targets: readonly string[];
  /** Seconds; 0 and absent = the provider's default. */
  readonly recordTTL?: number;
  readonly setIdentifier?: string;
}

/** A world, before and after a few edits. */
export interface World {
  readonly domain: string;
  readonly before: readonly Located[];
  readonly after: readonly Located[];
  /** What others have at its names. */
  readonly zone: readonly Endpoint[];
}

/** Nodes of all worlds. */
export const NODES: readonly Located[] = [1, 2].map((at) => ({
  kind: NODE,
  object: {
    ...{ apiVersion: "v1", kind: "Node", metadata: { name: `n${at}` }, spec: {} },
    status: {
      addresses: [
        { type: "ExternalIP", address: `203.0.113.${at}` },
        { type: "InternalIP", address: `10.0.0.${at}` },
      ],
    },
  },
}));

/** Objects of these kinds publish; others come with them. */
const PUBLISHING: readonly KindRef[] = [
  ...[SERVICE, INGRESS, DNS_ENDPOINT, HTTP_ROUTE, ISTIO_GATEWAY, VIRTUAL_SERVICE],
];

/**
 * As the edits arrive: one publishing object after the other goes, then what came with them, then
 * one after the other comes.
 */
export function statesOf({ before, after }: World): readonly (readonly Located[])[] {
  const kept = new Set(after.map(idOf));
  const isKept = (one: Located): boolean => kept.has(idOf(one));
  const going = before.filter((one) => !isKept(one) && PUBLISHING.includes(one.kind));
  const states = [before];
  for (const gone of going) states.push((states.at(-1) ?? []).filter((one) => one !== gone));
  let now = before.filter(isKept);
  states.push(now);
  let arrived: Located[] = [];
  for (const one of after) {
    if (before.includes(one)) continue;
    arrived.push(one);
    if (!PUBLISHING.includes(one.kind)) continue;
    const ids = new Set(arrived.map(idOf));
    now = [...now.filter((other) => !ids.has(idOf(other))), ...arrived];
    states.push(now);
    arrived = [];
  }
  return states;
}

/** Kind, namespace and name. */
export function idOf({ kind, object: { metadata } }: Located): string {
  return `${kindText(kind)}/${metadata.namespace ?? ""}/${metadata.name}`;
}

/** The world of a seed. */
export function worldOf(seed: number): World {
  const chance = new Chance(seed);
  const count = 1 + chance.below(4);
  const objects = Array.from({ length: count }, (_, at) => objectsOf(chance, at));
  const edited = objects.flatMap((one, at) => {
    const luck = chance.luck();
    if (luck < 0.25) return [];
    return [luck < 0.6 ? one : objectsOf(chance, at)];
  });
  if (chance.happens(0.4)) edited.push(objectsOf(chance, count));
  const zone = chance.happens(0.3) ? others(chance) : [];
  return { domain: chance.domain, before: objects.flat(), after: edited.flat(), zone };
}

/** A record of nobody, of another owner, or of actual that is for an object that there is not. */
function others(chance: Chance): readonly Endpoint[] {
  const dnsName = `${chance.pick(["a", "b", "c"])}.${chance.domain}`;
  const recordType = chance.pick(["A", "AAAA", "CNAME"]);
  const value = { A: "192.0.2.99", AAAA: "2001:db8::99", CNAME: "old.example.net" }[recordType];
  const record = { dnsName, recordType, targets: [value ?? ""], recordTTL: 300 };
  const owner = chance.pick([null, "other", "me"]);
  if (owner === null) return [record];
  const text = `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=service/w${chance.seed}/gone"`;
  const marker = {
    dnsName: `${recordType.toLowerCase()}-${dnsName}`,
    recordType: "TXT",
    targets: [text],
  };
  return [record, { ...marker, recordTTL: 300 }];
}
