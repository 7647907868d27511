/**
 * What kinds of meshes and proxies have in common in external-dns: their objects list hosts, beside
 * names of the annotation `hostname`; some of their names cannot be answered for now.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { objectKeyOf } from "../../model/kinds.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { firstNames } from "../shared/annotations.ts";
import {
  externalHostnames,
  type WrittenNames,
  writtenNames,
} from "../shared/external-annotations.ts";
import { PROBLEM_WAIT } from "../shared/found.ts";
import type { Found, SourceOptions } from "../source.ts";
import {
  type NamedObject,
  namedEach,
  namedRecords,
  type Reported,
  rulesOf,
} from "./named-records.ts";
import { type TemplateUse, withTemplates } from "./templated-names.ts";

/** A text that should be a name, with the path of its field. */
export type HostText = readonly [text: unknown, field: string];

/** Hosts that name none: an empty one, and `*`, which stands for any. */
export function isNoName(host: unknown): boolean {
  return host === "" || host === "*" || host === undefined || host === null;
}

/**
 * Hosts of an object and the names of its annotation, the first thousand of them; those beyond keep
 * what stands. `field` has the hosts; null = it is no list, and may hide one.
 */
export function readHosts(
  object: KubeObject,
  hosts: readonly HostText[] | null,
  { field, options }: { readonly field: string; readonly options: SourceOptions },
): WrittenNames {
  const subject = resourceOf(objectKeyOf(object, ""));
  if (hosts === null) {
    const message = "the hosts are not a list; repair the object";
    return { names: [], problems: [{ code: "InvalidDnsName", subject, message, field }] };
  }
  const annotated = rulesOf(options).ignoresHostnames ? [] : externalHostnames(object);
  const texts = [...hosts.filter(([host]) => !isNoName(host)), ...annotated];
  const { first, excess } = firstNames(object, texts, field);
  const written = writtenNames(first);
  // Names of reverse zones may have one, hosts may not.
  const names = written.names.filter((name) => !name.includes("/"));
  const slash = "it has a / too many; write the host name alone, or namespace/host";
  const wrong = written.names
    .filter((name) => name.includes("/"))
    .map((name) => ({ code: "InvalidDnsName", subject: name, message: slash, field }));
  return { names, problems: [...written.problems, ...wrong, ...excess] };
}

/** An object whose hosts were read. */
export interface HostedObject extends Omit<NamedObject, "wanted">, Pick<TemplateUse, "source"> {
  readonly written: WrittenNames;
  /** Of a name, where no annotation says other ones. */
  readonly targetsOf: (name: DnsName) => Reported;
  /** Whether it is unknown where the name is to be reached. Absent = no name is in trouble. */
  readonly isInTrouble?: (name: DnsName) => boolean;
  /** Templates that count. Absent = those of names. */
  readonly takes?: TemplateUse["takes"];
}

/** Published as external-dns does it; of names in trouble nobody says that they have no address. */
export function hostRecords({
  isInTrouble = () => false,
  written: { names, problems },
  targetsOf,
  source,
  takes = "names",
  ...rest
}: HostedObject): Found<DesiredRecordSet> {
  const namesOf = (all: readonly DnsName[]) => namedEach(all, targetsOf);
  const rules = rulesOf(rest.options).templates;
  const own = { ...namesOf(names), problems };
  const wanted = withTemplates(rest.object, own, { source, rules, takes, namesOf });
  const found = namedRecords({ ...rest, wanted });
  const waiting = found.waiting.map((one) =>
    isInTrouble(one.name) ? { ...one, reason: PROBLEM_WAIT } : one,
  );
  return { ...found, waiting };
}
