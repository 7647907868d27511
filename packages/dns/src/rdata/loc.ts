/**
 * LOC: where on earth something is. RFC 1876 §2 (fields), §3 (text); sizes round down as its
 * reference code does.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { RdataFormat } from "./rdata-format.ts";
import { splitTokens } from "./tokens.ts";

/** The fields of a location as numbers of the wire. */
export interface Location {
  /**
   * Diameter and precisions in centimetres, each mantissa (0 to 9) times a power of ten (0 to 9).
   */
  readonly size: number;
  readonly horizontal: number;
  readonly vertical: number;
  /** Thousandths of a second of arc, north and east positive. */
  readonly latitude: number;
  readonly longitude: number;
  /** Centimetres above the WGS 84 spheroid, from -100 000 m. */
  readonly altitude: number;
}

const DEGREE = 3_600_000;
const ALTITUDE_MIN = -10_000_000;
const ALTITUDE_MAX = 0xffff_ffff + ALTITUDE_MIN;
/** 9 × 10⁹ cm: the largest size. */
const SIZE_MAX = 9_000_000_000;
/** RFC 1876 §3: 1 m, 10 km, 10 m where they are left out. */
const SIZES = [
  { name: "the size", missing: "1m" },
  { name: "the horizontal precision", missing: "10000m" },
  { name: "the vertical precision", missing: "10m" },
] as const;

/**
 * Reads LOC text: `52 22 23.000 N 4 53 32.000 E -2.00m 1m 10000m 10m`, minutes, seconds and the
 * sizes optional.
 */
export function parseLocation(text: string): Result<Location> {
  const tokens = splitTokens(text);
  if (!tokens.ok) return tokens;
  const north = parseAngle(tokens.value, { positive: "N", negative: "S", degreesMax: 90 });
  if (!north.ok) return north;
  const east = parseAngle(north.value.rest, { positive: "E", negative: "W", degreesMax: 180 });
  if (!east.ok) return east;
  const [altitudeText = "", ...sizeTexts] = east.value.rest;
  const altitude = metres(altitudeText, { min: ALTITUDE_MIN, max: ALTITUDE_MAX });
  if (altitude === null)
    return fail("the altitude must be metres from -100000.00m to 42849672.95m, such as 12.5m");
  const sizes = parseSizes(sizeTexts);
  if (!sizes.ok) return sizes;
  const [size = 0, horizontal = 0, vertical = 0] = sizes.value;
  const [latitude, longitude] = [north.value.angle, east.value.angle];
  return ok({ size, horizontal, vertical, latitude, longitude, altitude });
}

/** Three sizes in centimetres, the missing ones filled in. */
function parseSizes(tokens: readonly string[]): Result<readonly number[]> {
  if (tokens.length > SIZES.length)
    return fail("the altitude may be followed by at most size, horizontal and vertical precision");
  const sizes: number[] = [];
  for (const [index, { name, missing }] of SIZES.entries()) {
    const size = metres(tokens[index] ?? missing, { min: 0, max: SIZE_MAX });
    if (size === null) return fail(`${name} must be metres from 0m to 90000000m`);
    sizes.push(roundedDown(size));
  }
  return ok(sizes);
}

interface Axis {
  readonly positive: string;
  readonly negative: string;
  readonly degreesMax: number;
}

/** `degrees [minutes [seconds]] letter` at the front of `words`. */
function parseAngle(
  tokens: readonly string[],
  axis: Axis,
): Result<{ readonly angle: number; readonly rest: readonly string[] }> {
  const { positive, negative, degreesMax } = axis;
  const example = `write degrees (0 to ${degreesMax}), minutes, seconds and ${positive} or ${negative}, such as 52 22 23.000 ${positive}`;
  const letterAt = tokens.slice(0, 4).findIndex((token) => /^[a-z]$/i.test(token));
  const letter = tokens[letterAt]?.toUpperCase();
  const angle = letterAt < 1 ? null : angleOf(tokens.slice(0, letterAt));
  if (angle === null || angle > degreesMax * DEGREE) return fail(example);
  if (letter !== positive && letter !== negative) return fail(example);
  return ok({ angle: letter === positive ? angle : 0 - angle, rest: tokens.slice(letterAt + 1) });
}

/** Thousandths of a second of one to three words; null = malformed. */
function angleOf(tokens: readonly string[]): number | null {
  const [degrees = "", minutes = "0", seconds = "0"] = tokens;
  if (!/^\d{1,3}$/.test(degrees) || !/^[0-5]?\d$/.test(minutes)) return null;
  if (!/^[0-5]?\d(?:\.\d{0,3})?$/.test(seconds)) return null;
  return Number(degrees) * DEGREE + Number(minutes) * 60_000 + Math.round(Number(seconds) * 1000);
}

/**
 * Metres with at most two decimals, `m` optional, as centimetres; null = malformed or out of range.
 */
function metres(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | null {
  const match = /^(-?)(\d{1,8})(?:\.(\d{0,2}))?m?$/i.exec(text);
  if (match === null) return null;
  const [, sign = "", whole = "", decimals = ""] = match;
  const value = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  const signed = sign === "-" ? 0 - value : value;
  return signed >= min && signed <= max ? signed : null;
}

/**
 * What mantissa and exponent can hold: one digit, rounded down (RFC 1876 Appendix A,
 * precsize_aton).
 */
function roundedDown(centimetres: number): number {
  const power = 10 ** Math.max(0, String(centimetres).length - 1);
  return Math.floor(centimetres / power) * power;
}

/** Canonical text: every field, angles with three decimals, the altitude with two. */
export function formatLocation(location: Location): string {
  const { latitude, longitude, altitude, size, horizontal, vertical } = location;
  return [
    angleText(latitude, "N", "S"),
    angleText(longitude, "E", "W"),
    `${altitude < 0 ? "-" : ""}${Math.floor(Math.abs(altitude) / 100)}.${twoDigits(Math.abs(altitude) % 100)}m`,
    ...[size, horizontal, vertical].map(sizeText),
  ].join(" ");
}

function angleText(angle: number, positive: string, negative: string): string {
  const value = Math.abs(angle);
  const seconds = (value % 60_000) / 1000;
  const minutes = Math.floor(value / 60_000) % 60;
  const degrees = Math.floor(value / DEGREE);
  return `${degrees} ${minutes} ${seconds.toFixed(3)} ${angle < 0 ? negative : positive}`;
}

/** Whole metres without decimals: `10m`, `0.50m`. */
function sizeText(centimetres: number): string {
  if (centimetres % 100 === 0) return `${centimetres / 100}m`;
  return `${Math.floor(centimetres / 100)}.${twoDigits(centimetres % 100)}m`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/**
 * The byte of a size: mantissa and exponent (RFC 1876 §2); zero is 0x00. Only for what
 * `parseLocation` gives.
 */
export function sizeByte(centimetres: number): number {
  const digits = String(centimetres);
  const mantissa = Number(digits[0]);
  invariant(/^\d0*$/.test(digits) && digits.length <= 10, "a size has one digit and zeros");
  return (mantissa << 4) | (digits.length - 1);
}

/** Centimetres of a size byte; null = one of its halves is no digit. */
export function sizeOfByte(byte: number): number | null {
  const [mantissa, exponent] = [byte >> 4, byte & 0xf];
  return mantissa > 9 || exponent > 9 ? null : mantissa * 10 ** exponent;
}

function parse(text: string): Result<string> {
  const location = parseLocation(text);
  return location.ok ? ok(formatLocation(location.value)) : location;
}

/** Type 29. */
export const LOC: RdataFormat = { type: "LOC", parse };
