/**
 * What Services and Ingresses have in common in external-dns: names get the targets of the
 * annotation `target`, else those that the kind reports; annotations that are not built hold the
 * object's names.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { type ExternalDnsRules, isInTargetNets, NO_RULES } from "../../model/external-dns-rules.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { annotatedRecords } from "../shared/annotated-records.ts";
import { annotationField } from "../shared/annotations.ts";
import {
  externalKey,
  externalList,
  ttlKeyOf,
  type WrittenNames,
} from "../shared/external-annotations.ts";
import { heldItems, PROBLEM_WAIT } from "../shared/found.ts";
import { reportedTargets } from "../shared/reported-targets.ts";
import type { SourceOptions } from "../shared/source-options.ts";
import type { Found } from "../source.ts";

/** Targets as an object reports them, and where. */
export interface Reported {
  readonly targets: readonly string[];
  readonly reporter: string;
  readonly field: string;
}

/** An object with its names. */
export interface NamedObject {
  readonly object: KubeObject;
  readonly cluster: string;
  readonly options: SourceOptions;
  readonly written: WrittenNames;
  /** Of a name, where no annotation says other ones. */
  readonly targetsOf: (name: DnsName) => Reported;
}

/** Rules of flags, and those of an external-dns without any. */
export function rulesOf({ externalDns = NO_RULES }: SourceOptions): ExternalDnsRules {
  return externalDns;
}

/** Published as external-dns does it. */
export function namedRecords(named: NamedObject): Found<DesiredRecordSet> {
  const { object, options, written } = named;
  const provenance = objectKeyOf(object, named.cluster);
  const subject = resourceOf(provenance);
  const given = externalList(object, "target");
  const excluded = options.excludedTargetNets ?? [];
  const { targetNets } = rulesOf(options);
  const found = annotatedRecords(
    {
      object,
      provenance,
      names: written.names,
      kept: [],
      problems: written.problems,
      complete: written.problems.length === 0,
      ttlKey: ttlKeyOf(object),
    },
    (name, asksForAddresses) => {
      const reported =
        given === null
          ? named.targetsOf(name)
          : { targets: given.texts, reporter: "the annotation", field: annotationField(given.key) };
      const targets = reported.targets.filter((one) => isInTargetNets(one, targetNets));
      return reportedTargets({ ...reported, targets, subject }, { asksForAddresses, excluded });
    },
  );
  const problems = unbuilt(object);
  return problems.length === 0
    ? found
    : { ...heldItems(found, PROBLEM_WAIT), problems: [...found.problems, ...problems] };
}

/** They make other records of a name. */
const UNBUILT: Readonly<Record<string, string>> = {
  "set-identifier": "write the members of a routing policy as DNSEndpoints",
  alias: "write aliases as DNSEndpoints with providerSpecific",
};

function unbuilt(object: KubeObject): readonly Problem[] {
  return Object.entries(UNBUILT).flatMap(([name, remedy]) => {
    const key = externalKey(object, name);
    if (key === null || object.metadata.annotations?.[key] === "false") return [];
    const subject = resourceOf(objectKeyOf(object, ""));
    const message = `it is not read here; ${remedy}. The names of this object stay as they are`;
    return [{ code: "Unsupported", subject, message, field: annotationField(key) }];
  });
}

/** Addresses, else host names, of `status.loadBalancer`. */
export function balancedTargets(object: KubeObject): Reported {
  const status = fieldsOf(fieldsOf(object["status"])["loadBalancer"]);
  const targets = (listOf(status["ingress"]) ?? [])
    .map(fieldsOf)
    .map(({ ip, hostname }) => textOf(ip) ?? textOf(hostname))
    .filter((target) => target !== null);
  return { targets, reporter: "the load balancer", field: "status.loadBalancer.ingress" };
}
