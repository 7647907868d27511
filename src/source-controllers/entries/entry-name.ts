/**
 * Object names of generated DNSEntries. Gardener lets the API server add a random suffix; ours
 * is computed from object and DNS name, so that creating it again after a lost answer is refused
 * instead of making a second one.
 */
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectKey } from "../../model/provenance.ts";

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
