/**
 * Who asks for a DNSProvider: the namespaces of an object, or of the objects that it was generated
 * for, and the realms that it names (labels that a DNSProvider must share). As in the access
 * control of Gardener's external-dns-management. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { splitName } from "@zonekeeper/kube/objects/object-fields";
import { CLUSTERS_ANNOTATION } from "../../model/annotation-keys.ts";
import { annotatedOwners, SOURCE_LABEL } from "../../model/generated-entries.ts";
import { REALMS_ANNOTATION, readRealms } from "../../model/object-annotations.ts";
import type { ProviderFacts } from "./provider-facts.ts";

/** On an entry: `true` = its owners do not decide which DNSProviders it may use. */
export const IGNORE_OWNERS_ANNOTATION = "resources.gardener.cloud/ignore-owners-for-access-control";

/** Decides which DNSProviders may serve the names of an object. */
export interface Applicant {
  /**
   * The DNSProvider's namespace must equal each of these; empty string = the object has no
   * namespace. An empty list = the object may use no DNSProvider of a cluster's namespace as its
   * own.
   */
  readonly namespaces: readonly string[];
  /** Id of the further cluster whose namespaces these are; absent = a cluster of our own. */
  readonly cluster?: string;
  readonly realms: readonly string[];
}

/** An object that publishes its names by itself; `realms` = those of one that names none. */
export function applicantOf(object: KubeObject, realms: string | null = null): Applicant {
  const { namespace = "", annotations } = object.metadata;
  // clause: named-realms-come-first
  const named = annotations?.[REALMS_ANNOTATION] ?? realms ?? "";
  return { namespaces: [namespace], realms: readRealms(named) };
}

/**
 * The applicant of a DNSEntry. The annotation that names its owners is believed only in
 * `targetNamespace`, where controllers make the entries: elsewhere anybody could name objects of
 * another namespace.
 */
export function entryApplicant(entry: KubeObject, targetNamespace: string | null): Applicant {
  const own = applicantOf(entry);
  const owners = annotatedOwners(entry);
  const isBelieved =
    /* clause: owners-count-in-target-namespace */ entry.metadata.namespace === targetNamespace &&
    owners.length > 0;
  const { annotations = {}, labels = {} } = entry.metadata;
  // Entries that this program made ask for themselves, unless they say otherwise.
  const isMade = labels[SOURCE_LABEL] !== undefined;
  const ignoresOwners = (annotations[IGNORE_OWNERS_ANNOTATION] ?? String(isMade)) === "true";
  if (!isBelieved || ignoresOwners) return own;
  // An owner in another cluster may use no DNSProvider of this one.
  // clause: owner-of-other-cluster-uses-none
  const isNear = owners.every(({ cluster }) => cluster === null);
  const namespaces = isNear ? [...new Set(owners.map(({ namespace }) => namespace))] : [];
  return { ...own, namespaces };
}

/** Why a name is not served that a DNSProvider of other realms would serve. */
export function otherRealmText(name: string, { id, realms }: RealmsOf): string {
  const [first = ""] = realms;
  const named = first === "" ? "without a realm" : `of realm ${realms.join(", ")}`;
  const remedy =
    first === ""
      ? `remove the annotation ${REALMS_ANNOTATION}`
      : `set ${REALMS_ANNOTATION}: ${first}`;
  return `DNSProvider ${id}, which serves ${name}, is for objects ${named}; ${remedy}, or create a DNSProvider for the realm of this object`;
}

/**
 * Why a name of a further cluster is not served, which a DNSProvider would serve for an object of
 * its own cluster.
 */
export function otherClusterText(name: string, id: string, cluster: string): string {
  const [namespace, provider] = splitName(id);
  return `DNSProvider ${id}, which serves ${name}, is not for objects of cluster ${cluster}; if it is to be for those of the namespace ${namespace} there: kubectl annotate -n ${namespace} dnsprovider ${provider} ${CLUSTERS_ANNOTATION}=${cluster}`;
}

type RealmsOf = Pick<ProviderFacts, "id" | "realms">;
