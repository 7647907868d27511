/**
 * Kubernetes protobuf bodies: the magic `k8s\0`, then `Unknown { typeMeta = 1 { apiVersion = 1,
 * kind = 2 }, raw = 2 }`. kubectl 1.32 and newer create built-in kinds so. Only requests; answers
 * are JSON.
 */
import { badRequest, unsupportedMediaType } from "../errors/api-error.ts";
import type { JsonObject } from "../json/json.ts";
import { rawFields, readMessage } from "./protobuf-reader.ts";
import { PROTOBUF_TABLES } from "./protobuf-tables.ts";

/** Media type of Kubernetes protobuf. */
export const PROTOBUF_TYPE = "application/vnd.kubernetes.protobuf";

const MAGIC = [0x6b, 0x38, 0x73, 0x00];

/** The object as its JSON would be. Throws ApiError 400, or 415 for a kind without table. */
export function decodeProtobuf(bytes: Uint8Array): JsonObject {
  if (MAGIC.some((byte, index) => bytes[index] !== byte))
    throw badRequest("the body of the request is not Kubernetes protobuf: the magic is missing");
  const envelope = rawFields(bytes.subarray(MAGIC.length));
  const part = (number: number): Uint8Array =>
    envelope.find((field) => field.number === number)?.bytes ?? new Uint8Array();
  const type = readMessage(part(1), {
    1: { name: "apiVersion", type: "text" },
    2: { name: "kind", type: "text" },
  });
  const name = `${String(type["apiVersion"])}/${String(type["kind"])}`;
  const table = Object.hasOwn(PROTOBUF_TABLES, name) ? PROTOBUF_TABLES[name] : undefined;
  if (table === undefined)
    throw unsupportedMediaType(`${name} is not understood as protobuf here; send JSON`);
  return { ...type, ...readMessage(part(2), table) };
}
