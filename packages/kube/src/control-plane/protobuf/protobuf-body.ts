/**
 * Kubernetes protobuf bodies: the magic `k8s\0`, then the message
 * `Unknown { typeMeta = 1, raw = 2 }`. Go clients and kubectl 1.32 and newer send built-in kinds
 * so. Only requests; answers are JSON.
 */
import { badRequest, unsupportedMediaType } from "../errors/api-error.ts";
import { isObject, type JsonObject, textAt } from "../json/json.ts";
import definitions from "./definition-messages.txt" with { type: "text" };
import { messagesOf } from "./message-table.ts";
import objects from "./object-messages.txt" with { type: "text" };
import pods from "./pod-messages.txt" with { type: "text" };
import { MessageReader, rawFields } from "./protobuf-reader.ts";

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
