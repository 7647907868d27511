/**
 * One zone of a memory account: its identity, content and behaviour. Tests and sessions share it by
 * reference.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Zone } from "../../../src/model/zone.ts";
import { CLASS_A, type MemoryBehaviour } from "./behaviour.ts";
import { ZoneContent } from "./zone-content.ts";

/** What a memory zone starts with. */
export interface MemoryZoneOptions {
  readonly name: DnsName;
  /** Default: the name. */
  readonly id?: string;
  /** Default `memory`; two zones of one name at two endpoints are two zones (Z-18). */
  readonly endpoint?: string;
  /** Who can ask it; absent = nobody knows. */
  readonly visibility?: "public" | "private";
  /** Content besides the SOA; default: one NS at the apex. */
  readonly records?: readonly RecordSet[];
  /** Default: class A without quirks. */
  readonly behaviour?: MemoryBehaviour;
}

/** A zone that any number of sessions may hold. */
export class MemoryZone {
  readonly zone: Zone;
  readonly content: ZoneContent;
  readonly behaviour: MemoryBehaviour;

  constructor(options: MemoryZoneOptions) {
    const { name } = options;
    this.zone = {
      id: options.id ?? name,
      name,
      providerType: "memory",
      endpoint: options.endpoint ?? "memory",
      view: "",
      ...(options.visibility === undefined ? {} : { visibility: options.visibility }),
    };
    this.behaviour = options.behaviour ?? CLASS_A;
    this.content = new ZoneContent(name, options.records ?? [apexNs(name)]);
  }
}

function apexNs(name: DnsName): RecordSet {
  return {
    name,
    type: "NS",
    setIdentifier: null,
    ttlSeconds: 3600,
    values: [`ns1.${name}`],
    properties: {},
    routingPolicy: null,
  };
}
