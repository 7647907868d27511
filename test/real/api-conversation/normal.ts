/**
 * Makes two answers comparable: what differs by chance or by time gets a name in its place.
 * Objects' resource versions and uids are called after the step that showed them first, so that
 * "the same as before" and "another" stay visible.
 */
import { type Answer, type Json, type JsonRecord, recordOf } from "./step.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** In texts that hold a whole object. */
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const CLUSTER_IP = /\b10\.\d+\.\d+\.\d+\b/g;
/**
 * A generated name that is refused (the step generated-bad): nothing beside it says where it comes
 * from.
 */
const REFUSED_NAME = /\bGen_[a-z0-9]{5}\b/g;
/** A server's own port, and node ports in the cells of tables. */
const OWN_PORT = /\b(127\.0\.0\.1):\d+\b/g;
const NODE_PORT = /:\d+\/(TCP|UDP)\b/g;
/** Ages in tables: `0s`, `5m10s`, `331d`, `2y9d`; `<unknown>` is told apart. */
const AGE = /^(?:\d+[ydhms]){1,2}$/;

/**
 * Names for one server's volatile values; one for the whole conversation, which is given its
 * answers in order.
 */
export class Normal {
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string>();

  #step = "";

  /** The answer to a step with its volatile parts named. */
  of(step: string, answer: Answer): Answer {
    this.#step = step;
    // Protobuf has its volatile parts inside of bytes.
    const isBinary = answer.contentType.endsWith("protobuf");
    return { ...answer, body: isBinary ? "<protobuf>" : this.#value("", answer.body) };
  }

  #value(key: string, value: Json): Json {
    if (typeof value === "string") return this.#text(key, value);
    if (Array.isArray(value)) return this.#list(key, value);
    const record = recordOf(value);
    if (record === null)
      return key === "nodePort" || key === "healthCheckNodePort" ? "<port>" : value;
    return this.#record(key, record);
  }

  #list(key: string, list: readonly Json[]): Json {
    const items = list.map((item) => (key === "cells" ? this.#cell(item) : this.#value(key, item)));
    // A set, whose order means nothing.
    return SETS.includes(key) ? [...items].sort(byText) : items;
  }

  #cell(item: Json): Json {
    if (typeof item !== "string") return this.#value("", item);
    return AGE.test(item) ? "<age>" : this.#text("", item).replace(NODE_PORT, ":<port>/$1");
  }

  #record(key: string, record: JsonRecord): JsonRecord {
    const causes = recordOf(record["details"])?.["causes"];
    const isSummary = key === "" && Array.isArray(causes) && causes.length > 1;
    const own = Object.entries(isSummary ? { ...record, message: summed(record) } : record).map(
      ([name, value]) => [name, this.#field(key, { name, value }, record)],
    );
    return Object.fromEntries(own) as JsonRecord;
  }

  #field(
    key: string,
    field: { readonly name: string; readonly value: Json },
    record: JsonRecord,
  ): Json {
    const { name, value } = field;
    if (name === "resourceVersion" && typeof value === "string")
      return key === "metadata" && record["uid"] !== undefined ? this.#version(value) : "<version>";
    if (name === "continue" && value !== "") return "<continue>";
    if (name === "remainingItemCount") return value;
    if (name === "name" && isGenerated(record)) return "<generated>";
    return this.#value(name, value);
  }

  #text(key: string, text: string): string {
    if (TIME.test(text)) return "<time>";
    const plain = text
      .replace(UUID, (uid) => this.#uid(uid))
      .replace(TIMES, "<time>")
      .replace(OWN_PORT, "$1:<port>")
      .replace(CLUSTER_IP, "<ip>")
      .replace(REFUSED_NAME, "Gen_<generated>");
    return key === "message" ? volatileTexts(plain) : plain;
  }

  #uid(uid: string): string {
    const known = this.#uids.get(uid) ?? `<uid of ${this.#step}>`;
    this.#uids.set(uid, known);
    return known;
  }

  #version(version: string): string {
    const known = this.#versions.get(version) ?? `<version of ${this.#step}>`;
    this.#versions.set(version, known);
    return known;
  }
}

/** Lists whose order means nothing, or is another each time. */
const SETS = ["verbs", "causes", "resourceRules", "nonResourceRules"];

/** Causes by their fields first: two servers say them in words of their own. */
function byText(a: Json, b: Json): number {
  const [left, right] = [a, b].map((item) =>
    JSON.stringify([recordOf(item)?.["field"] ?? null, item]),
  ) as [string, string];
  return left < right ? -1 : 1;
}

/** A message that lists all causes, which stand beside it. */
function summed(record: JsonRecord): string {
  return String(record["message"]).replace(/\[.*\]$/s, "[<causes>]");
}

function isGenerated(record: JsonRecord): boolean {
  const prefix = record["generateName"];
  // A long prefix is cut for the five characters behind it.
  return typeof prefix === "string" && String(record["name"]).startsWith(prefix.slice(0, 58));
}

/** Numbers of revisions in the sentences that hold them. */
function volatileTexts(message: string): string {
  return message
    .replace(/(resource ?version: )\d+( \(\d+\))?/i, "$1<version>")
    .replace(/(current: )\d+/, "$1<version>")
    .replace(/(\\"resourceVersion\\":\\")\d+/g, "$1<version>")
    .replace(/(in precondition: |in object meta: )\d+/g, "$1<version>");
}
