/**
 * The annotations with which records change hands (docs/guides/ownership.md,
 * external-dns PR #2019), under each of their prefixes. A value that cannot be read permits nobody,
 * claims nothing, and is a problem.
 */
import { parseRdata } from "@zonekeeper/dns/rdata/index";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { markerKindNamed, objectKeyOf } from "../../model/kinds.ts";
import { leavesRecords } from "../../model/object-annotations.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import { isSameJson } from "../../model/same-json.ts";
import {
  type ListedValue,
  NO_TRANSFER,
  type PermitRequest,
  TRANSFER_PREFIXES as PREFIXES,
  RELEASED_BY_SOURCE,
  TRANSFER_ANNOTATIONS,
  TRANSFER_KEYS,
  type TransferRequest,
} from "../../model/transfer-request.ts";
import { annotationField } from "./annotations.ts";
import { quoted } from "./read-name.ts";

const {
  permitOwner: PERMIT_OWNER,
  permitResource: PERMIT_RESOURCE,
  claim: CLAIM,
  release: RELEASE,
  adopt: ADOPT,
  merge: MERGE,
} = TRANSFER_KEYS;

/** Bytes of an owner id; a permit has to fit into 255 with two of them (Z-13). */
const OWNER_BYTES_MAX = 100;

/** What an object says about its records; `transfer` is absent when it says nothing. */
export interface TransferRead {
  readonly transfer?: TransferRequest;
  readonly problems: readonly Problem[];
}

/** Reads the annotations of one object. */
export function readTransfer(object: KubeObject): TransferRead {
  const { annotations = {}, deletionTimestamp } = object.metadata;
  // Not for nearly all objects: they have none of the annotations, and are not being deleted.
  const mayAsk =
    deletionTimestamp !== undefined || Object.keys(annotations).some((key) => KEYS.has(key));
  return mayAsk ? readAsked(object) : SAYS_NOTHING;
}

const SAYS_NOTHING: TransferRead = { problems: [] };
const KEYS: ReadonlySet<string> = new Set(TRANSFER_ANNOTATIONS);

function readAsked(object: KubeObject): TransferRead {
  const reader = new Reader(object);
  const claim = reader.flag(CLAIM);
  const isLeft = object.metadata.deletionTimestamp !== undefined && leavesRecords(object);
  const release = reader.flag(RELEASE) || isLeft;
  const permit = permitOf(reader);
  if (claim && permit !== null)
    reader.refuse(
      CLAIM,
      "an object that claims records cannot permit others to claim them; remove one of the two annotations",
    );
  const isBoth = claim && permit !== null;
  const transfer: TransferRequest = {
    claim: claim && !isBoth,
    permit: isBoth ? null : permit,
    release,
    adopt: adoptOf(reader),
    merge: reader.flag(MERGE),
  };
  const { problems } = reader;
  const hasRequest = !isSameJson(transfer, NO_TRANSFER);
  return hasRequest ? { transfer, problems } : { problems };
}

function permitOf(reader: Reader): PermitRequest | null {
  const before = reader.problems.length;
  const resource = reader.text(PERMIT_RESOURCE);
  const owner = reader.text(PERMIT_OWNER);
  if (reader.problems.length > before) return null;
  const refuse = (key: string, message: string): null => {
    reader.refuse(key, message);
    return null;
  };
  const noObject = `names no object; say which one may claim with ${PERMIT_RESOURCE}: kind/namespace/name`;
  if (resource === null) return owner === null ? null : refuse(PERMIT_OWNER, noObject);
  const match = RESOURCE.exec(resource);
  const noResource = `${quoted(resource)} is not kind/namespace/name of the object that may claim; write e.g. service/default/web`;
  if (match === null) return refuse(PERMIT_RESOURCE, noResource);
  const noOwner = `${quoted(owner ?? "")} is no owner id; write the --owner of the other group`;
  if (owner !== null && !OWNER.test(owner)) return refuse(PERMIT_OWNER, noOwner);
  const [, kind = "", rest = ""] = match;
  return { owner, resource: `${markerKindNamed(kind)}/${rest}` };
}

/**
 * One `TYPE VALUE` a line: exactly what stands. One that cannot be read makes the whole list count
 * as not given.
 */
function adoptOf(reader: Reader): readonly ListedValue[] {
  const lines = (reader.text(ADOPT) ?? "").split("\n").map((line) => line.trim());
  const listed: ListedValue[] = [];
  for (const line of lines.filter((one) => one !== "")) {
    const [type = "", ...tokens] = line.split(" ");
    const value = parseRdata(type, tokens.join(" ").trim());
    if (!value.ok) {
      reader.refuse(ADOPT, `${quoted(line)} is not a type and a value: ${value.error}`);
      return [];
    }
    listed.push({ type, value: value.value });
  }
  return listed;
}

/** Kind as markers spell it; namespace and name as Kubernetes allows them (RFC 1123). */
const RESOURCE = /^([a-z][a-z0-9-]*)\/([a-z0-9-]+\/[a-z0-9]([a-z0-9.:-]{0,251}[a-z0-9])?)$/;
const OWNER = new RegExp(`^[!#-+\\--<>-~]{1,${OWNER_BYTES_MAX}}$`);

/** Looks an annotation up under every prefix; gathers what is wrong. */
class Reader {
  readonly #object: KubeObject;
  readonly #problems: Problem[] = [];

  constructor(object: KubeObject) {
    this.#object = object;
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** The trimmed value; null when the object has none, or two that differ. */
  text(annotation: string): string | null {
    const annotations = this.#object.metadata.annotations ?? {};
    const given = PREFIXES.map((prefix) => annotations[`${prefix}${annotation}`]?.trim() ?? "");
    const isBySource = (value: string) => annotation === RELEASE && value === RELEASED_BY_SOURCE;
    const spelt = given.map((value) => (isBySource(value) ? "true" : value));
    const values = [...new Set(spelt.filter((value) => value !== ""))];
    if (values.length < 2) return values[0] ?? null;
    this.refuse(annotation, `is given with ${values.length} different values; keep one of them`);
    return null;
  }

  flag(annotation: string): boolean {
    const text = this.text(annotation);
    if (text === null || text === "true" || text === "false") return text === "true";
    this.refuse(annotation, `${quoted(text)} is neither true nor false; write "true" or remove it`);
    return false;
  }

  refuse(annotation: string, message: string): void {
    const annotations = this.#object.metadata.annotations ?? {};
    const prefix =
      PREFIXES.find((one) => annotations[`${one}${annotation}`] !== undefined) ?? PREFIXES[0];
    this.#problems.push({
      code: "InvalidTransfer",
      subject: resourceOf(objectKeyOf(this.#object, "")),
      message,
      field: annotationField(`${prefix}${annotation}`),
    });
  }
}
