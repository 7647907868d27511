/**
 * Which of the DNSEntries that are linked to a source object this program has made: others are
 * neither changed nor deleted (Z-25). Anybody can write an ownerReference or the owners annotation;
 * only our entries have a name of our form, our label, and no other field manager of their spec.
 * Gardener lets the API server add a random suffix to the name; ours is computed from object and
 * DNS name, so that creating it again after a lost answer is refused instead of making a second
 * one. Pure.
 */
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { FIELD_MANAGER, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { fingerprint64 } from "../../model/fingerprint.ts";
import { SOURCE_LABEL } from "../../model/generated-entries.ts";
import { type ObjectKey, resourceOf } from "../../model/provenance.ts";

/** The label of entries of this object. A label has 63 characters at most: it is a hash. */
export function sourceLabel(source: ObjectKey): Readonly<Record<string, string>> {
  return { [SOURCE_LABEL]: `${source.kind}-${fingerprint64(resourceOf(source))}` };
}

/** Why the entry is not ours to change or delete; null = it is. */
export function lackingSign(entry: KubeObject, source: ObjectKey): string | null {
  const { name, labels = {}, specManagers = [] } = entry.metadata;
  if (!hasGeneratedForm(name, source))
    return /* clause: entry-name-is-generated */ "its name is not one that this program gives";
  const other = specManagers.find((manager) => manager !== FIELD_MANAGER);
  if (other !== undefined) return `${other} has written its spec`;
  const label = labels[SOURCE_LABEL];
  if (label === sourceLabel(source)[SOURCE_LABEL]) return null;
  // An earlier version wrote no label; its entries show that it alone has written their spec.
  const isEarlier =
    label === undefined && /* clause: entry-has-the-label */ specManagers.length > 0;
  return isEarlier ? null : `its label ${SOURCE_LABEL} is missing or names another object`;
}

/**
 * True = the existing object `present` is the entry `made`, restored from a backup: it has our
 * name, our label and our DNS name, no controller (backups drop ownerReferences), and one program,
 * that of the backup, wrote its whole spec. If somebody edited it after us, we are still one of its
 * managers.
 */
export function isRestored(present: KubeObject, made: KubeObject): boolean {
  const { labels = {}, ownerReferences = [], specManagers = [] } = present.metadata;
  const isWhole =
    !specManagers.includes(FIELD_MANAGER) || specManagers.every((one) => one === FIELD_MANAGER);
  return (
    /* clause: restored-entry-has-our-label */ labels[SOURCE_LABEL] ===
      made.metadata.labels?.[SOURCE_LABEL] &&
    /* clause: restored-entry-has-its-name */ fieldsOf(present["spec"])["dnsName"] ===
      fieldsOf(made["spec"])["dnsName"] &&
    // clause: restored-entry-has-no-controller
    ownerReferences.every(({ controller }) => controller !== true) &&
    /* clause: restored-entry-has-one-writer */ isWhole
  );
}

/** An entry that is neither changed nor deleted. */
export interface LeftEntry {
  readonly entry: KubeObject;
  readonly why: string;
}

/** The entries of one object. */
interface LinkedEntries {
  readonly own: readonly KubeObject[];
  readonly left: readonly LeftEntry[];
}

/** Splits the linked entries into ours, and those that others have made or changed. */
export function splitBySigns(linked: readonly KubeObject[], source: ObjectKey): LinkedEntries {
  const judged = linked.map((entry) => ({ entry, why: lackingSign(entry, source) }));
  return {
    own: judged.flatMap(({ entry, why }) => (why === null ? entry : [])),
    left: judged.flatMap(({ entry, why }) => (why === null ? [] : { entry, why })),
  };
}

/** Bytes of a source's name that are kept; object names end at 253 (RFC 1123 subdomain). */
const NAME_BYTES_MAX = 200;
/** Digits of the suffix: 50 bits in base 32. */
const SUFFIX_DIGITS = 10;

/** The object and the DNS name that an entry is made for. */
export interface EntrySubject {
  /** Cluster id of the object. */
  readonly cluster: string;
  readonly object: KubeObject;
  readonly name: DnsName;
}

/** `<source name>-<kind>-<suffix>`: equal for equal subjects. */
export function entryName(crypto: Crypto, { cluster, object, name }: EntrySubject): string {
  const kind = object.kind.toLowerCase();
  const { name: source, namespace = "" } = object.metadata;
  const text = [cluster, kind, namespace, source, name].join("|");
  const digest = crypto.hash("sha256", new TextEncoder().encode(text));
  const suffix = [...digest.slice(0, SUFFIX_DIGITS)].map((byte) => (byte & 31).toString(32));
  return `${stemOf(source, kind)}${suffix.join("")}`;
}

/** True for a name of the form that entries of this object have (Z-25). */
export function hasGeneratedForm(text: string, { kind, name }: ObjectKey): boolean {
  const stem = stemOf(name, kind);
  return text.startsWith(stem) && SUFFIX.test(text.slice(stem.length));
}

const SUFFIX = new RegExp(`^[0-9a-v]{${SUFFIX_DIGITS}}$`);

function stemOf(source: string, kind: string): string {
  return `${source.slice(0, NAME_BYTES_MAX).replace(/[^a-z0-9]+$/, "")}-${kind}-`;
}
