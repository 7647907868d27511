/**
 * Options whose values become names, labels and ids where Kubernetes, or another reader of ours,
 * would refuse them later, each time anew and without the option's name. Pure.
 */
import {
  isLabelValue,
  isQualifiedName,
  LABEL_VALUE_DETAIL,
  nameFaults,
  QUALIFIED_NAME_DETAIL,
} from "@zonekeeper/kube/objects/name-rules";
import { isOwnerId, OWNER_ID_FORM } from "../model/owner-id.ts";
import type { Problem } from "../model/problem.ts";
import type { ResolvedOptions } from "./resolve-options.ts";

/** What is wrong with the options that `dev` and `run` have in common. */
export function entryNameProblems(options: ResolvedOptions): readonly Problem[] {
  return [
    ...namespaceProblems(options, "target-namespace"),
    ...labelProblems(options),
    ...ownerProblems(options),
    ...blockedProblems(options),
  ];
}

/** What is wrong with those of `run`. */
export function runNameProblems(options: ResolvedOptions): readonly Problem[] {
  return [
    ...entryNameProblems(options),
    ...namespaceProblems(options, "namespace"),
    ...leaseProblems(options),
    ...clusterProblems(options),
  ];
}

function namespaceProblems(options: ResolvedOptions, name: string): readonly Problem[] {
  const text = options.text(name);
  const [fault] = text === null ? [] : nameFaults(text, "label");
  return fault === undefined ? [] : [refused(name, text, `is no namespace: ${fault}`)];
}

function leaseProblems(options: ResolvedOptions): readonly Problem[] {
  if (options.flag("omit-lease")) return [];
  const name = options.needText("lease-name");
  const [fault] = nameFaults(name, "subdomain");
  const named =
    fault === undefined ? [] : [refused("lease-name", name, `is no name of a Lease: ${fault}`)];
  return [...named, ...namespaceProblems(options, "lease-namespace")];
}

/** Without a value there is no label. */
function labelProblems(options: ResolvedOptions): readonly Problem[] {
  const value = options.text("target-creator-label-value");
  const key = options.needText("target-creator-label-name");
  if (value === null) return [];
  const [keyName, valueName] = ["target-creator-label-name", "target-creator-label-value"];
  return [
    ...(isQualifiedName(key)
      ? []
      : [refused(keyName, key, `is no key of a label: ${QUALIFIED_NAME_DETAIL}`)]),
    ...(isLabelValue(value)
      ? []
      : [refused(valueName, value, `is no value of a label: ${LABEL_VALUE_DETAIL}`)]),
  ];
}

/** It becomes `spec.ownerId` of entries, and no DNSOwner can switch another one on. */
function ownerProblems(options: ResolvedOptions): readonly Problem[] {
  const owner = options.text("target-owner-id");
  if (owner === null || isOwnerId(owner)) return [];
  return [refused("target-owner-id", owner, `is no owner id: ${OWNER_ID_FORM}`)];
}

/** Nothing would be blocked. */
function blockedProblems(options: ResolvedOptions): readonly Problem[] {
  const patterns = options.list("blocked-zone").filter((zone) => /[*?]/.test(zone));
  const why =
    "is no id of a zone, and patterns are not read: write each id as status.zones of a DNSProvider shows it";
  return patterns.map((zone) => refused("blocked-zone", zone, why));
}

/** The owners annotation of entries in another cluster: `cluster:group/Kind/namespace/name`, … */
function clusterProblems(options: ResolvedOptions): readonly Problem[] {
  if (options.text("target") === null) return [];
  return ["kubeconfig.id", "target.id"].flatMap((name) => {
    const id = options.text(name);
    if (id === null || !/[:/,]/.test(id)) return [];
    const why = `cannot be read back from the annotation that links entries to objects of another cluster: write it without ":", "/" and commas`;
    return [refused(name, id, why)];
  });
}

function refused(name: string, value: string | null, why: string): Problem {
  return {
    code: "InvalidOption",
    subject: `--${name}`,
    message: `${JSON.stringify(value)} ${why}`,
  };
}
