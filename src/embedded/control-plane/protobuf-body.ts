/** Placeholder of the first commit: protobuf bodies are refused clearly. */
import { unsupportedMediaType } from "./api-error.ts";

/** Media type of Kubernetes protobuf. */
export const PROTOBUF_TYPE = "application/vnd.kubernetes.protobuf";

/** Refuses. */
export function decodeProtobuf(_bytes: Uint8Array): unknown {
  throw unsupportedMediaType("protobuf bodies are not understood yet");
}
