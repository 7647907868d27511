/** ResourceRecordSet as XML, both ways, in the order of the API reference. */
import type { ResourceRecordSet } from "@aws-sdk/client-route-53";
import type { FakeChange } from "./hosted-zone.ts";
import { child, childText, escapeXml, type XmlElement, xml } from "./xml.ts";

const TEXTS = ["Name", "Type", "SetIdentifier", "Region", "Failover", "HealthCheckId"] as const;
const NUMBERS = ["Weight", "TTL"] as const;
const RECORDS = [
  "GeoLocation",
  "GeoProximityLocation",
  "AliasTarget",
  "CidrRoutingConfig",
] as const;

/** The changes of a ChangeResourceRecordSetsRequest. */
export function changesOf(request: XmlElement): readonly FakeChange[] {
  const changes = child(child(request, "ChangeBatch"), "Changes")?.children ?? [];
  return changes.map((change) => ({
    action: childText(change, "Action") ?? "",
    set: setOf(child(change, "ResourceRecordSet")),
  }));
}

function setOf(element: XmlElement | undefined): ResourceRecordSet {
  const set: Record<string, unknown> = {};
  for (const name of TEXTS) put(set, name, childText(element, name));
  for (const name of NUMBERS) {
    const text = childText(element, name);
    put(set, name, text === undefined ? undefined : Number(text));
  }
  for (const name of RECORDS) {
    const fields = child(element, name)?.children;
    const entries = fields?.map((one) => [one.name, fieldValue(one)]);
    put(set, name, entries === undefined ? undefined : Object.fromEntries(entries));
  }
  if (childText(element, "MultiValueAnswer") === "true") set["MultiValueAnswer"] = true;
  const records = child(element, "ResourceRecords")?.children;
  put(
    set,
    "ResourceRecords",
    records?.map((one) => ({ Value: childText(one, "Value") ?? "" })),
  );
  return set as unknown as ResourceRecordSet;
}

/** `Coordinates` of a GeoProximityLocation are the only fields within a field. */
function fieldValue({ name, text, children }: XmlElement): unknown {
  if (children.length > 0) return Object.fromEntries(children.map((one) => [one.name, one.text]));
  if (name === "Bias") return Number(text);
  return name === "EvaluateTargetHealth" ? text === "true" : text;
}

function put(set: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) set[name] = value;
}

/** As ListResourceRecordSets shows it. */
export function recordSetXml(set: ResourceRecordSet): string {
  const fields = [...TEXTS, ...NUMBERS].flatMap((name) => {
    const value = set[name];
    return value === undefined ? [] : [xml(name, escapeXml(String(value)))];
  });
  const records = RECORDS.flatMap((name) => {
    const value = set[name];
    if (value === undefined) return [];
    return [xml(name, fieldsXml(value))];
  });
  const values = (set.ResourceRecords ?? []).map(({ Value = "" }) =>
    xml("ResourceRecord", xml("Value", escapeXml(Value))),
  );
  const many = set.MultiValueAnswer === true ? xml("MultiValueAnswer", "true") : "";
  const data = values.length === 0 ? "" : xml("ResourceRecords", values.join(""));
  return xml("ResourceRecordSet", fields.join("") + many + records.join("") + data);
}

function fieldsXml(fields: object): string {
  return Object.entries(fields)
    .map(([key, one]) =>
      xml(key, typeof one === "object" ? fieldsXml(one) : escapeXml(String(one))),
    )
    .join("");
}
