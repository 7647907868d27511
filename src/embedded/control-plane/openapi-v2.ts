/**
 * OpenAPI v2 as protobuf (gnostic openapi.v2.Document): the almost empty document with which kubectl 1.20
 * skips its own validation and leaves it to the server.
 */

/** Title and version of the API. */
export interface Info {
  readonly title: string;
  readonly version: string;
}

/** Document { swagger = 1, info = 2 { title = 1, version = 2 }, paths = 8 {}, definitions = 9 {} }. */
export function minimalOpenApiV2(info: Info): Uint8Array {
  const head = message(2, [...text(1, info.title), ...text(2, info.version)]);
  return Uint8Array.from([...text(1, "2.0"), ...head, ...message(8, []), ...message(9, [])]);
}

function text(field: number, value: string): readonly number[] {
  return message(field, [...new TextEncoder().encode(value)]);
}

/** A length-delimited field; lengths stay below 128 × 128. */
function message(field: number, content: readonly number[]): readonly number[] {
  const { length } = content;
  const size = length < 128 ? [length] : [(length & 127) | 128, length >> 7];
  return [(field << 3) | 2, ...size, ...content];
}
