/**
 * A source of a plug-in: what it throws and what cannot be its answer is a problem of the object,
 * whose records stay (Z-1).
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import { parseRdata, RDATA_FORMATS } from "@zonekeeper/dns/rdata/index";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { objectKeyOf } from "../../model/kinds.ts";
import { type ObjectKey, resourceOf } from "../../model/provenance.ts";
import { type Found, NOTHING, type SourceFunctions, type SourceRow } from "../../sources/source.ts";
import { type LoadedPlugin, pluginText } from "./plugin-module.ts";
import {
  COUNT,
  DNS_NAME,
  type FieldShape,
  FLAG,
  FULL_TEXT,
  LIST,
  OBJECT,
  orNull,
  type Shape,
  TEXT,
  wrongElement,
  wrongField,
} from "./shape.ts";
import { UNWATCHED, type Watch } from "./watched-calls.ts";

/** The row as the program may use it. */
export function guardSource(
  row: SourceRow,
  plugin: LoadedPlugin,
  watch: Watch = UNWATCHED,
): SourceRow {
  const { leftOff } = plugin;
  return {
    ...row,
    open: (options, originals) => {
      const opened =
        leftOff === undefined
          ? attempt(() => watch("open", () => row.open(options, originals)))
          : { thrown: leftOff };
      return { endpoints: guarded(opened, plugin, watch) };
    },
  };
}

/** What was thrown instead of a value. */
type Attempt<T> = { readonly value: T } | { readonly thrown: string };

function attempt<T>(call: () => T): Attempt<T> {
  try {
    return { value: call() };
  } catch (error) {
    return { thrown: `threw: ${messageOf(error)}` };
  }
}

function guarded(
  opened: Attempt<SourceFunctions>,
  plugin: LoadedPlugin,
  watch: Watch,
): SourceFunctions["endpoints"] {
  return (object, view) => {
    const key = objectKeyOf(object, view.clusterId);
    if ("thrown" in opened) return failed(object, opened.thrown, plugin);
    const found = attempt(() => watch("endpoints", () => opened.value.endpoints(object, view)));
    if ("thrown" in found) return failed(object, found.thrown, plugin);
    const wrong = wrongFound(found.value, key);
    return wrong === null ? found.value : failed(object, `answered garbage: ${wrong}`, plugin);
  };
}

/** Nothing is known of the object: what it has stays. */
function failed(object: KubeObject, what: string, plugin: LoadedPlugin): Found<never> {
  const message = `the ${pluginText(plugin)} ${what}. Records of the object stay as they are; mend the plug-in`;
  const subject = resourceOf(objectKeyOf(object, ""));
  return { ...NOTHING, problems: [{ code: "PluginFailed", subject, message }], complete: false };
}

const TYPE: FieldShape = [
  (value) => RDATA_FORMATS.some(({ type }) => type === value),
  "must be a record type",
];
const TTL: FieldShape = [
  (value) => COUNT[0](value) && Number(value) <= 2_147_483_647,
  "must be a number of seconds",
];
const FOUND: Shape = { items: LIST, waiting: LIST, problems: LIST, complete: FLAG };
const WAITING: Shape = { name: DNS_NAME, reason: FULL_TEXT };
const PROBLEM: Shape = { code: FULL_TEXT, subject: TEXT, message: FULL_TEXT };

/** Null = it is an answer about the object. */
function wrongFound(found: unknown, key: ObjectKey): string | null {
  const { items, waiting, problems } = fieldsOf(found);
  const isSameObject = (value: unknown): boolean =>
    Object.entries(key).every(([field, text]) => fieldsOf(value)[field] === text);
  const ITEM: Shape = {
    ...{ name: DNS_NAME, type: TYPE, setIdentifier: orNull(FULL_TEXT), ttlSeconds: orNull(TTL) },
    ...{ values: LIST, properties: OBJECT, routingPolicy: orNull(OBJECT), createdAtMs: COUNT },
    owner: orNull(FULL_TEXT),
    provenance: [
      isSameObject,
      "must be the object that was handed in: objectKeyOf(object, view.clusterId)",
    ],
  };
  return (
    wrongField(found, FOUND, "") ??
    wrongElement(items, ITEM, "items") ??
    wrongElement(waiting, WAITING, "waiting") ??
    wrongElement(problems, PROBLEM, "problems") ??
    wrongValues(items)
  );
}

function wrongValues(items: unknown): string | null {
  if (!Array.isArray(items)) return null;
  for (const [index, { type, values }] of items.entries()) {
    const texts = textsOf(values) ?? [];
    const isRight = (text: string): boolean => {
      const parsed = parseRdata(type, text);
      return parsed.ok && parsed.value === text;
    };
    const isSorted = texts.every((text, at) => at === 0 || (texts[at - 1] ?? "") < text);
    if (texts.length === 0 || !texts.every(isRight) || !isSorted)
      return `items[${index}].values must be canonical ${type} data, sorted, without duplicates: canonicalValues`;
  }
  return null;
}
