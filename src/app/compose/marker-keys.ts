/**
 * Reads the keys for encrypted and signed markers (the records that say whose a record is) from the
 * files or options that the configuration names. No message holds a key.
 */
import { readFileSync } from "node:fs";
import { messageOf, type OperationError, permanent } from "@zonekeeper/base/operation-error";
import type { Cipher, Crypto } from "@zonekeeper/base/ports/crypto";
import type { Random } from "@zonekeeper/base/ports/random";
import type { TxtConfig } from "../../config/txt-options.ts";
import type { MarkerEncryption } from "../../ownership/txt/marker-codec.ts";
import type { MarkerSigning, SigningKey } from "../../ownership/txt/signature.ts";
import type { Gzip } from "../../ports/gzip.ts";

/** Everything that keys are used with. */
export interface MarkerPorts {
  readonly crypto: Crypto;
  readonly cipher: Cipher;
  readonly gzip: Gzip;
  readonly random: Random;
}

/** The keys of the TXT registry, ready to use; null = none. */
export interface MarkerKeys {
  readonly encryption: MarkerEncryption | null;
  readonly signing: MarkerSigning | null;
}

/** Bytes of an AES-256 key, and the least of a key for HMAC-SHA256 (RFC 2104 §3). */
const KEY_BYTES = 32;
const SIGNING_KEYS_MAX = 16;

/**
 * Throws OperationError `MarkerKeyUnusable` when a file cannot be read, or holds no key.
 */
export function readMarkerKeys(config: TxtConfig, ports: MarkerPorts): MarkerKeys {
  return { encryption: readEncryption(config, ports), signing: readSigning(config, ports) };
}

function readEncryption(
  { aesKey, aesKeyFile, encrypt }: TxtConfig,
  { cipher, gzip, random }: MarkerPorts,
): MarkerEncryption | null {
  const text = aesKeyFile === null ? aesKey : fileText("--txt-encrypt-aes-key-file", aesKeyFile);
  if (text === null) return null;
  const key = aesKeyOf(text);
  if (key !== null) return { key, write: encrypt, cipher, gzip, random };
  const option = aesKeyFile === null ? "--txt-encrypt-aes-key" : "--txt-encrypt-aes-key-file";
  throw unusable(option, "is no key: give 32 characters, or base64 of 32 bytes");
}

/** Exactly 32 bytes as given, else base64 of them (external-dns `registry/txt` @v0.22). */
function aesKeyOf(text: string): Uint8Array | null {
  const given = new TextEncoder().encode(text);
  if (given.length === KEY_BYTES) return given;
  const decoded = new Uint8Array(Buffer.from(text, "base64"));
  return decoded.length === KEY_BYTES ? decoded : null;
}

function readSigning(
  { signing: mode, signingKeysFile: file }: TxtConfig,
  { crypto }: MarkerPorts,
): MarkerSigning | null {
  if (mode === "off" || file === null) return null;
  const lines = fileText("--marker-signing-keys-file", file)
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), at: index + 1 }))
    .filter(({ line }) => line !== "" && !line.startsWith("#"));
  const keys = lines.map(({ line, at }) => signingKey(line, `${file}:${at}`));
  const ids = new Set(keys.map(({ id }) => id));
  if (keys.length > 0 && keys.length <= SIGNING_KEYS_MAX && ids.size === keys.length)
    return { mode, keys, crypto };
  const message = `${file}: needs 1 to ${SIGNING_KEYS_MAX} keys, each id once; there are ${keys.length}`;
  throw unusable("--marker-signing-keys-file", message);
}

function signingKey(line: string, where: string): SigningKey {
  const [id = "", text = "", ...rest] = line.split(/[ \t]+/);
  const secret = new Uint8Array(Buffer.from(text, "base64"));
  if (/^[A-Za-z0-9_-]{1,16}$/.test(id) && secret.length >= KEY_BYTES && rest.length === 0)
    return { id, secret };
  const message = `${where}: is no key: write an id of at most 16 letters and digits, a blank, and base64 of at least ${KEY_BYTES} bytes`;
  throw unusable("--marker-signing-keys-file", message);
}

/** The file without the newline that editors add at its end. */
function fileText(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw unusable(option, `${file} cannot be read: ${messageOf(error)}`);
  }
}

function unusable(option: string, message: string): OperationError {
  return permanent("MarkerKeyUnusable", `${option}: ${message}`);
}
