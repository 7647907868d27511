/**
 * ServiceEntry of Istio → records: its hosts get its own addresses, else those of its static
 * endpoints, else the name of its one DNS endpoint. Only of namespaces that the operator names, or
 * with the annotation; never `status.addresses`, which are of one cluster's mesh alone.
 */
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { PUBLISH_ANNOTATION, SRV_ANNOTATION } from "../../model/annotation-keys.ts";
import { misspeltValues } from "../../model/annotation-slips.ts";
import { isOfClass } from "../../model/dns-class.ts";
import { isImported, isNameOfOthers } from "../../model/imports.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { annotatedRecords } from "../shared/annotated-records.ts";
import { annotationField, firstNames } from "../shared/annotations.ts";
import { ttlKeyOf, writtenNames } from "../shared/external-annotations.ts";
import { PROBLEM_WAIT, waitingFor } from "../shared/found.ts";
import { quoted } from "../shared/read-name.ts";
import { reportedTargets } from "../shared/reported-targets.ts";
import { isAddressText } from "../shared/target-form.ts";
import { type Found, NOTHING, type SourceOptions, sourceOf } from "../source.ts";
import { type PortServices, portServices, serviceRecord } from "./port-services.ts";

/** The source `istio-serviceentry`: networking.istio.io/v1 ServiceEntries. */
export const serviceEntry = sourceOf((object, { clusterId }, options) =>
  /* clause: imported-is-not-published */ isImported(object) ||
  !isOfClass(object, options.dnsClasses)
    ? NOTHING
    : ofPublished(object, clusterId, options),
);

/** Whether it is published may be misspelt: then its names keep what stands (Z-5). */
function ofPublished(
  object: KubeObject,
  clusterId: string,
  options: SourceOptions,
): Found<DesiredRecordSet> {
  const { annotations = {}, namespace = "" } = object.metadata;
  const text = annotations[PUBLISH_ANNOTATION]?.trim() ?? "";
  const isChosen = options.serviceEntryNamespaces?.includes(namespace) === true;
  if (text === "true" || (text === "" && isChosen)) return ofHosts(object, clusterId, options);
  const isMisspelt = misspeltValues(annotations, [PUBLISH_ANNOTATION]).length > 0;
  const isUnread = text !== "" && text !== "false";
  if (!isUnread && /* clause: publish-slip-is-a-mistake */ !isMisspelt) return NOTHING;
  const message = neither(text, "its hosts");
  return {
    ...NOTHING,
    waiting: waitingFor(hostsIn(object).names, PROBLEM_WAIT),
    problems: isUnread ? [troubleOf(object, annotationField(PUBLISH_ANNOTATION), message)] : [],
    complete: false,
  };
}

function neither(text: string, what: string): string {
  return `${quoted(text)} is neither true nor false; write "true" to publish ${what}`;
}

function ofHosts(
  object: KubeObject,
  clusterId: string,
  options: SourceOptions,
): Found<DesiredRecordSet> {
  const provenance = objectKeyOf(object, clusterId);
  const hosts = hostsIn(object);
  const { targets, field, remarks } = targetsIn(object);
  const subject = resourceOf(provenance);
  const excluded = options.excludedTargetNets ?? [];
  const reported = { targets, reporter: "the ServiceEntry", subject, field };
  const { byName, problems, isRead } = servicesIn(object, hosts.names, field !== "spec.addresses");
  const services = [...byName.keys()];
  return annotatedRecords(
    {
      object,
      provenance,
      names: isRead ? [...hosts.names, ...services] : hosts.names,
      kept: isRead ? [] : services,
      problems: [...hosts.problems, ...remarks, ...problems],
      complete: hosts.complete && isRead,
      ttlKey: ttlKeyOf(object),
    },
    (name, asksForAddresses) => {
      const read = reportedTargets(reported, { asksForAddresses, excluded });
      const service = byName.get(name);
      if (service === undefined || "problem" in read) return read;
      return { typed: serviceRecord(service, read.typed), remarks: [] };
    },
  );
}

const NO_SERVICES: PortServices["byName"] = new Map();

/** SRV records, where the annotation asks for them. `isRead: false`: it may be misspelt (Z-5). */
function servicesIn(object: KubeObject, hosts: readonly DnsName[], isOfEndpoints: boolean) {
  const text = object.metadata.annotations?.[SRV_ANNOTATION]?.trim() ?? "";
  const isRead = ["", "true", "false"].includes(text);
  if (text === "" || text === "false") return { byName: NO_SERVICES, problems: [], isRead };
  const { byName, remarks } = portServices(fieldsOf(object["spec"]), hosts, isOfEndpoints);
  const problems = isRead
    ? remarks.map((remark) => troubleOf(object, "spec.ports", remark))
    : [
        troubleOf(
          object,
          annotationField(SRV_ANNOTATION),
          neither(text, "SRV records of its ports"),
        ),
      ];
  return { byName, problems, isRead };
}

interface Hosts {
  readonly names: readonly DnsName[];
  readonly problems: readonly Problem[];
  /** False = one may be hidden. */
  readonly complete: boolean;
}

/** `*` stands for any host, and is no name. */
function hostsIn(object: KubeObject): Hosts {
  const listed = listOf(fieldsOf(object["spec"])["hosts"]);
  if (listed === null) {
    const problem = troubleOf(object, "spec.hosts", "the hosts are not a list; repair the object");
    return { names: [], problems: [problem], complete: false };
  }
  const texts = listed
    .map((text, index) => [text, `spec.hosts[${index}]`] as const)
    .filter(([text]) => text !== "*");
  const { first, excess } = firstNames(object, texts, "spec.hosts");
  const read = writtenNames(first);
  const ofOthers = read.names.filter(isNameOfOthers).map((name) => {
    const why = `${name} is a name of a cluster or of Consul, and is not published; take it off spec.hosts`;
    return troubleOf(object, "spec.hosts", why);
  });
  return {
    names: read.names.filter((name) => !isNameOfOthers(name)),
    problems: [...read.problems, ...excess, ...ofOthers],
    complete: read.problems.length + excess.length === 0,
  };
}

interface Targets {
  readonly targets: readonly string[];
  readonly field: string;
  /** Why there are none, or not all. */
  readonly remarks: readonly Problem[];
}

function targetsIn(object: KubeObject): Targets {
  const { addresses, endpoints, resolution } = fieldsOf(object["spec"]);
  const own = textsIn(addresses, object, "spec.addresses");
  if (own.targets.length > 0) return own;
  const listed = (listOf(endpoints) ?? []).map(fieldsOf);
  const found = ofEndpoints(listed, resolution ?? "NONE", object);
  return { ...found, remarks: [...own.remarks, ...found.remarks] };
}

/** Addresses; what is a network or a socket is told. */
function textsIn(value: unknown, object: KubeObject, field: string): Targets {
  const texts = (listOf(value) ?? []).map((one) => textOf(one) ?? JSON.stringify(one));
  const isAddress = (text: string): boolean => isAddressText(text) && !/[/]|^unix:/.test(text);
  const others = texts.filter((text) => !isAddress(text));
  const message = `${others.slice(0, 5).map(quoted).join(", ")}: a network, socket or name is no address, and is not published`;
  return {
    targets: texts.filter(isAddress),
    field,
    remarks: others.length === 0 ? [] : [troubleOf(object, field, message)],
  };
}

function ofEndpoints(
  endpoints: readonly Fields[],
  resolution: unknown,
  object: KubeObject,
): Targets {
  const field = "spec.endpoints";
  const addresses = endpoints.map(({ address }) => address);
  const none = (message: string): Targets => {
    const remarks = [troubleOf(object, field, `${message}; list IP addresses in spec.addresses`)];
    return { targets: [], field, remarks };
  };
  switch (resolution) {
    case "STATIC":
      return addresses.length === 0
        ? none("its endpoints are those of workloads, which are not read")
        : textsIn(addresses, object, field);
    case "DNS":
    case "DNS_ROUND_ROBIN": {
      const [address, ...more] = addresses.flatMap((one) => textOf(one) ?? []);
      if (address === undefined) return none("it has no endpoint whose name its hosts could have");
      if (more.length > 0) return none("it has several endpoints, and a name has one CNAME");
      const target = parseDnsName(address);
      const isOfOthers = target.ok && isNameOfOthers(target.value);
      const message = `${quoted(address)} is a name of a cluster or of Consul: who is outside of it does not find it; list IP addresses in spec.addresses`;
      const remarks = isOfOthers ? [troubleOf(object, field, message)] : [];
      return { targets: [address], field, remarks };
    }
    default:
      return none(`resolution ${String(resolution)} has no endpoints`);
  }
}

function troubleOf(object: KubeObject, field: string, message: string): Problem {
  const subject = resourceOf(objectKeyOf(object, ""));
  return { code: "InvalidServiceEntry", subject, message, field };
}
