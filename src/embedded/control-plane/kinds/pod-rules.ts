/** Rules of Pods beyond the schema: containers, names, and what must not change. Pure. */
import type { FieldError } from "../errors/api-error.ts";
import {
  equalJson,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  without,
} from "../json/json.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { checkOneOf, checkPortNumber, checkProtocol } from "../schema/address-rules.ts";

/** RFC 1123 label. */
const LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const RESTART_POLICIES = ["Always", "Never", "OnFailure"];
const DNS_POLICIES = ["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"];
const PULL_POLICIES = ["Always", "IfNotPresent", "Never"];
const LISTS = ["initContainers", "containers"];

/**
 * core/validation `ValidatePodSpec` as far as users meet it, and `ValidatePodUpdate`; `previous`
 * null = create.
 */
export function checkPod(pod: StoredObject, previous: StoredObject | null): readonly FieldError[] {
  const spec = objectAt(pod, "spec");
  const errors = [
    ...checkOneOf(textAt(spec, "restartPolicy"), "spec.restartPolicy", RESTART_POLICIES),
    ...checkOneOf(textAt(spec, "dnsPolicy"), "spec.dnsPolicy", DNS_POLICIES),
    ...LISTS.flatMap((field) => checkContainers(spec, field)),
    ...["hostname", "subdomain"].flatMap((field) => checkLabel(textAt(spec, field), field)),
  ];
  if (listAt(spec, "containers").length === 0)
    errors.push({ field: "spec.containers", reason: "FieldValueRequired", detail: "" });
  return previous === null ? errors : [...errors, ...checkChange(pod, previous)];
}

function checkLabel(value: string, field: string): readonly FieldError[] {
  if (value === "" || LABEL.test(value)) return [];
  const detail =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [{ field: `spec.${field}`, reason: "FieldValueInvalid", value, detail }];
}

function checkContainers(spec: JsonObject, list: string): readonly FieldError[] {
  const seen = new Set<string>();
  return listAt(spec, list).flatMap((each, index) => {
    const where = `spec.${list}[${index}]`;
    const name = textAt(each, "name");
    const errors = [...checkContainer(each, where)];
    if (seen.has(name))
      errors.push({
        field: `${where}.name`,
        reason: "FieldValueDuplicate",
        value: name,
        detail: "",
      });
    seen.add(name);
    return errors;
  });
}

function checkContainer(each: unknown, where: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(each, "name");
  if (name === "")
    errors.push({ field: `${where}.name`, reason: "FieldValueRequired", detail: "" });
  else if (!LABEL.test(name))
    errors.push({
      field: `${where}.name`,
      reason: "FieldValueInvalid",
      value: name,
      detail:
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    });
  if (textAt(each, "image") === "")
    errors.push({ field: `${where}.image`, reason: "FieldValueRequired", detail: "" });
  errors.push(
    ...checkOneOf(textAt(each, "imagePullPolicy"), `${where}.imagePullPolicy`, PULL_POLICIES),
  );
  for (const [index, port] of listAt(each, "ports").entries())
    errors.push(
      ...checkPortNumber(
        objectAt({ port }, "port")["containerPort"],
        `${where}.ports[${index}].containerPort`,
      ),
      ...checkProtocol(textAt(port, "protocol"), `${where}.ports[${index}].protocol`),
    );
  return errors;
}

/** The fields that an update may change besides the images of containers. */
const CHANGEABLE = ["activeDeadlineSeconds", "terminationGracePeriodSeconds", "tolerations"];

/**
 * What runs is decided once: only images, deadlines and tolerations change, and a pod without node
 * gets one.
 */
function checkChange(pod: StoredObject, previous: StoredObject): readonly FieldError[] {
  if (equalJson(fixedPart(pod, previous), fixedPart(previous, previous))) return [];
  const detail =
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
  return [{ field: "spec", reason: "FieldValueForbidden", detail }];
}

function fixedPart(pod: StoredObject, previous: StoredObject): JsonObject {
  const spec = objectAt(pod, "spec");
  const isWaiting = textAt(previous, "spec", "nodeName") === "";
  const open = isWaiting ? ["nodeName", "schedulingGates", "nodeSelector"] : [];
  const lists = LISTS.map((field) => [
    field,
    listAt(spec, field).map((each) =>
      isObject(each) ? without(each, "image", "imagePullPolicy") : each,
    ),
  ]);
  return {
    ...without(spec, ...CHANGEABLE, ...open, "ephemeralContainers"),
    ...Object.fromEntries(lists),
  };
}
