/**
 * The identity of a `dev` installation: owner id, ports, keys and tokens, in one private file. Made
 * once; a field that can be read is never made anew, because records in zones and kubeconfigs
 * depend on it.
 */
import { messageOf, permanent } from "@zonekeeper/base/operation-error";
import type { Random } from "@zonekeeper/base/ports/random";
import type { Store } from "@zonekeeper/base/ports/store";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import { readIfThere, writeDurably } from "../../ports/durable-file.ts";

/** Ports that were given out; 0 = none yet. */
export interface RememberedPorts {
  readonly dns: number;
  readonly api: number;
  readonly http: number;
}

/** The content of `identity.json`. */
export interface Identity {
  readonly version: 1;
  /** Owner id in every marker. */
  readonly owner: string;
  readonly ports: RememberedPorts;
  /** Key between the controllers and the embedded name server. */
  readonly tsig: {
    readonly name: string;
    readonly algorithm: "hmac-sha256";
    readonly secretBase64: string;
  };
  /**
   * Bearer tokens: the user's and the controllers' for the embedded API, and the one of the local
   * HTTP API.
   */
  readonly tokens: { readonly admin: string; readonly controllers: string; readonly local: string };
}

/** Bytes of entropy in a token; the TSIG secret is as long as the hash (RFC 8945 §6). */
const TOKEN_BYTES = 24;
const TSIG_BYTES = 32;

/** Where the identity is, and what it is checked against. */
export interface IdentityQuestion {
  readonly file: string;
  /** The store's file, for people, and the store. */
  readonly storeFile: string;
  readonly store: Store;
  /** Replaces the kept owner id; null = it stays. */
  readonly owner: string | null;
  readonly random: Random;
}

/**
 * Key in the store, written before the identity file: so a lost file and a lost store are both
 * noticed.
 */
const BEGUN_KEY = "dev/begun";

/**
 * Reads the file, or makes it if the store is empty, too. Rejects with OperationError
 * `IdentityBroken`, `IdentityMissing` or `StoreMissing`, rather than begin anew with half of the
 * data.
 */
export async function loadIdentity(question: IdentityQuestion): Promise<Identity> {
  const { file, owner, random, store } = question;
  const text = readIfThere(file);
  const kept = text === null ? create(random) : parse(file, text);
  const keys = [...store.range("")].map(([key]) => key);
  if (text !== null && keys.length === 0)
    throw permanent(
      "StoreMissing",
      `${question.storeFile} is missing or empty beside ${question.file}: the objects and zones of owner ${kept.owner} are gone. Restore it, or remove the whole folder to begin anew`,
    );
  if (text === null && keys.some((key) => key !== BEGUN_KEY))
    throw permanent(
      "IdentityMissing",
      `${question.file} is missing beside ${question.storeFile}: another owner id and other keys would not fit the records that are there. Restore it, or remove the whole folder to begin anew`,
    );
  if (text === null) await store.write([{ put: BEGUN_KEY, value: "yes" }]);
  const identity = owner === null ? kept : { ...kept, owner };
  if (text === null || identity.owner !== kept.owner) saveIdentity(file, identity);
  return identity;
}

/** Writes the file whole and durably. */
export function saveIdentity(file: string, identity: Identity): void {
  writeDurably(file, `${JSON.stringify(identity, null, 2)}\n`);
}

function create(random: Random): Identity {
  return {
    version: 1,
    owner: `dev-${random.uuid().slice(0, 8)}`,
    ports: { dns: 0, api: 0, http: 0 },
    tsig: {
      name: "zonekeeper-dev",
      algorithm: "hmac-sha256",
      secretBase64: Buffer.from(random.bytes(TSIG_BYTES)).toString("base64"),
    },
    tokens: { admin: token(random), controllers: token(random), local: token(random) },
  };
}

function token(random: Random): string {
  return Buffer.from(random.bytes(TOKEN_BYTES)).toString("base64url");
}

function parse(file: string, text: string): Identity {
  try {
    const value: unknown = JSON.parse(text);
    if (isIdentity(value)) return value;
    throw new Error("a field is missing or has the wrong type");
  } catch (error) {
    // The message without content of the file: JSON.parse quotes the text around a fault,
    // which may be a key.
    throw permanent(
      "IdentityBroken",
      `${file} cannot be understood: ${error instanceof SyntaxError ? "it is not JSON" : messageOf(error)}. Restore it, or remove the whole data folder to begin anew`,
    );
  }
}

function isIdentity(value: unknown): value is Identity {
  if (!isFields(value) || value["version"] !== 1 || typeof value["owner"] !== "string")
    return false;
  const { ports, tsig, tokens } = value;
  return (
    hasAll(ports, ["dns", "api", "http"], "number") &&
    hasAll(tsig, ["name", "algorithm", "secretBase64"], "string") &&
    hasAll(tokens, ["admin", "controllers", "local"], "string")
  );
}

function hasAll(value: unknown, names: readonly string[], type: "number" | "string"): boolean {
  return isFields(value) && names.every((name) => typeof value[name] === type);
}
