/**
 * What Services, Ingresses and Nodes have in common in external-dns: names get the targets of the
 * annotation `target`, else those that the kind reports.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordType } from "@zonekeeper/dns/rdata/rdata-format";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { type ExternalDnsRules, NO_RULES } from "../../model/external-dns-rules.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { annotatedRecords } from "../shared/annotated-records.ts";
import { annotationField } from "../shared/annotations.ts";
import { externalList, ttlKeyOf, writtenNames } from "../shared/external-annotations.ts";
import { reportedTargets, type TargetsRead } from "../shared/reported-targets.ts";
import type { Found, SourceOptions } from "../source.ts";

/** Targets as an object reports them, and where. */
export interface Reported {
  readonly targets: readonly string[];
  readonly reporter: string;
  readonly field: string;
  /** Host names among them are looked up. Absent = no. */
  readonly isLookedUp?: boolean;
  /** The annotation `target` does not replace them. Absent = it does. */
  readonly isFixed?: boolean;
  /** Values of this type, as they are. Absent = addresses and host names. */
  readonly type?: RecordType;
}

/** A name, and what one of its fields gives it; one that comes twice has the targets of both. */
export type NamedTargets = readonly [name: DnsName, reported: Reported];

/** Names of an object, and what is wrong with others. */
export interface WantedNames {
  readonly named: readonly NamedTargets[];
  readonly problems: readonly Problem[];
  /** There may be others, which a status does not say now. Absent = no. */
  readonly isUnsure?: boolean;
}

/** Each of the names has these targets. */
export function namedEach(
  names: readonly DnsName[],
  targetsOf: (name: DnsName) => Reported,
): WantedNames {
  return { named: names.map((name): NamedTargets => [name, targetsOf(name)]), problems: [] };
}

/** The name that the text in `field` is, with these targets; or why it is none. */
export function namedText(text: string, field: string, reported: Reported): WantedNames {
  const { names, problems } = writtenNames([[text, field]]);
  return { ...namedEach(names, () => reported), problems };
}

/** All of them together. */
export function joinedNames(all: readonly WantedNames[]): WantedNames {
  return {
    named: all.flatMap(({ named }) => named),
    problems: all.flatMap(({ problems }) => problems),
    isUnsure: all.some(({ isUnsure }) => isUnsure === true),
  };
}

/** An object with its names. */
export interface NamedObject {
  readonly object: KubeObject;
  readonly cluster: string;
  readonly options: SourceOptions;
  readonly wanted: WantedNames;
}

/** Rules of flags, and those of an external-dns without any. */
export function rulesOf({ externalDns = NO_RULES }: SourceOptions): ExternalDnsRules {
  return externalDns;
}

/** Published as external-dns does it. */
export function namedRecords({
  object,
  options,
  wanted,
  cluster,
}: NamedObject): Found<DesiredRecordSet> {
  const provenance = objectKeyOf(object, cluster);
  const subject = resourceOf(provenance);
  const byName = new Map<DnsName, readonly Reported[]>();
  for (const [name, reported] of wanted.named)
    byName.set(name, [...(byName.get(name) ?? []), reported]);
  const given = annotatedTargets(object);
  const excluded = options.excludedTargetNets ?? [];
  return annotatedRecords(
    {
      object,
      provenance,
      names: [...byName.keys()],
      kept: [],
      problems: wanted.problems,
      complete: wanted.problems.length === 0 && wanted.isUnsure !== true,
      ttlKey: ttlKeyOf(object),
    },
    (name, asksForAddresses): TargetsRead => {
      const own = byName.get(name) ?? [];
      const [first] = own;
      if (first?.type !== undefined) {
        const values = [...new Set(own.flatMap(({ targets }) => targets))].sort();
        return { typed: values.length === 0 ? [] : [{ type: first.type, values }], remarks: [] };
      }
      const fixed = own.filter(({ isFixed }) => isFixed === true);
      const replaced = fixed.length < own.length && given !== null ? [given] : [];
      const all = given === null ? own : [...replaced, ...fixed];
      const reported = {
        targets: [...new Set(all.flatMap(({ targets }) => targets))],
        reporter: all[0]?.reporter ?? "",
        field: [...new Set(all.map(({ field }) => field))].join(", "),
        subject,
      };
      const isLookedUp = asksForAddresses || all.some((one) => one.isLookedUp === true);
      return reportedTargets(reported, { asksForAddresses: isLookedUp, excluded });
    },
  );
}

/** Null = the object has no annotation `target`. */
export function annotatedTargets(object: KubeObject): Reported | null {
  const given = externalList(object, "target");
  if (given === null) return null;
  return { targets: given.texts, reporter: "the annotation", field: annotationField(given.key) };
}

/** Of `status.loadBalancer`: of each element its address, else its host name. */
export function balancedTargets(object: KubeObject): Reported {
  const status = fieldsOf(fieldsOf(object["status"])["loadBalancer"]);
  const targets = (listOf(status["ingress"]) ?? [])
    .map(fieldsOf)
    .map(({ ip, hostname }) => textOf(ip) ?? textOf(hostname))
    .filter((target) => target !== null);
  return { targets, reporter: "the load balancer", field: "status.loadBalancer.ingress" };
}
