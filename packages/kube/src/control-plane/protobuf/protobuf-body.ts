/**
 * Kubernetes protobuf bodies: the magic `k8s\0`, then the message
 * `Unknown { typeMeta = 1, raw = 2 }`. Go clients and kubectl 1.32 and newer send built-in kinds
 * so. Only requests; answers are JSON.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { badRequest, unsupportedMediaType } from "../errors/api-error.ts";
import { isObject, type JsonObject, textAt } from "../json/json.ts";
import definitions from "./definition-messages.txt" with { type: "text" };
import objects from "./object-messages.txt" with { type: "text" };
import pods from "./pod-messages.txt" with { type: "text" };
import {
  type Field,
  MessageReader,
  type Messages,
  type MessageType,
  rawFields,
} from "./protobuf-fields.ts";

/** Media type of Kubernetes protobuf. */
export const PROTOBUF_TYPE = "application/vnd.kubernetes.protobuf";

const MAGIC = [0x6b, 0x38, 0x73, 0x00];

const MESSAGES = messagesOf(objects + pods + definitions);
const READER = new MessageReader(MESSAGES);

/** The object as its JSON would be. Throws ApiError 400, or 415 for a kind without table. */
export function decodeProtobuf(bytes: Uint8Array): JsonObject {
  if (MAGIC.some((byte, index) => bytes[index] !== byte))
    throw badRequest("the body of the request is not Kubernetes protobuf: the magic is missing");
  const envelope = rawFields(bytes.subarray(MAGIC.length));
  const part = (number: number): Uint8Array =>
    envelope.find((field) => field.number === number)?.bytes ?? new Uint8Array();
  const type = READER.read(part(1), "TypeMeta");
  const [apiVersion, kind] = [textAt(type, "apiVersion"), textAt(type, "kind")];
  // Clients write these options in the group of what they delete.
  const name = kind === "DeleteOptions" ? kind : `${apiVersion}/${kind}`;
  if (kind === "" || !MESSAGES.has(name))
    throw unsupportedMediaType(`${name} is not understood as protobuf here; send JSON`);
  const object = READER.read(part(2), name);
  return { apiVersion, kind, ...(isObject(object) ? object : {}) };
}

/**
 * The messages of a table: one begins at each line that is not indented; lines with # are comments.
 *
 *     LeaseSpec = 1 holderIdentity?, 2 leaseDurationSeconds? int, 3 acquireTime micro-time
 *
 * A field is its number, its name in JSON and its type: text unless a type follows, one of
 * `ScalarType` or a message, a list `[type]` or a map `{type}` of these (`[]` and `{}`: of text).
 * `?` = zero is a value and kept (a pointer in Go, or a field that JSON always has); else zero
 * means absent. `...` as the name = its fields are fields of the parent. Fields with `|` between
 * them are alternatives: the message is the value of the first one that is there.
 */
function messagesOf(table: string): Messages {
  return new Map(
    table
      .replaceAll(/^#.*\n/gm, "")
      .trim()
      .split(/\n(?=\S)/)
      .map(messageOf),
  );
}

function messageOf(text: string): [string, MessageType] {
  const [name = "", fields = ""] = text.split(/ =\s*/);
  const all = fields === "" ? [] : fields.split(/\s*[,|]\s+/);
  return [name, { fields: all.map(fieldOf), isChoice: fields.includes("|") }];
}

function fieldOf(text: string): Field {
  const match = /^(\d+) ([^\s?]+)(\??)(?: (\S+))?$/.exec(text.trim());
  invariant(match !== null, `a field of a message table cannot be read: ${text}`);
  const [, number, name = "", mark, form = ""] = match;
  const type = form.replace(/^[[{](.*)[\]}]$/, "$1") || "text";
  return {
    number: Number(number),
    name,
    form: form.startsWith("[") ? "list" : form.startsWith("{") ? "map" : "one",
    type,
    keepsZero: mark === "?",
    isInline: name === "...",
  };
}
