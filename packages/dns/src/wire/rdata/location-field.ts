/**
 * The one field of LOC (RFC 1876 §2): version 0, three sizes, latitude, longitude and altitude with
 * their offsets.
 */
import { formatLocation, parseLocation, sizeByte, sizeOfByte } from "../../rdata/loc.ts";
import type { WireReader } from "../bytes/wire-reader.ts";
import type { WireWriter } from "../bytes/wire-writer.ts";

/** The equator and the prime meridian. */
const ANGLE_ZERO = 2 ** 31;
/** 100 000 m below the spheroid. */
const ALTITUDE_ZERO = 10_000_000;

/**
 * Canonical text; null = an invalid version or size, or a location that `parseLocation` refuses.
 */
export function readLocation(reader: WireReader): string | null {
  const version = reader.u8();
  const size = sizeOfByte(reader.u8());
  const horizontal = sizeOfByte(reader.u8());
  const vertical = sizeOfByte(reader.u8());
  const latitude = reader.u32() - ANGLE_ZERO;
  const longitude = reader.u32() - ANGLE_ZERO;
  const altitude = reader.u32() - ALTITUDE_ZERO;
  if (version !== 0 || size === null || horizontal === null || vertical === null) return null;
  return formatLocation({ size, horizontal, vertical, latitude, longitude, altitude });
}

/** False = the tokens are no location. */
export function writeLocation(writer: WireWriter, tokens: readonly string[]): boolean {
  const location = parseLocation(tokens.join(" "));
  if (!location.ok) return false;
  const { size, horizontal, vertical, latitude, longitude, altitude } = location.value;
  for (const byte of [0, sizeByte(size), sizeByte(horizontal), sizeByte(vertical)]) writer.u8(byte);
  writer.u32(latitude + ANGLE_ZERO);
  writer.u32(longitude + ANGLE_ZERO);
  writer.u32(altitude + ALTITUDE_ZERO);
  return true;
}
