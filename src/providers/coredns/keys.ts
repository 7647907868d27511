/**
 * Keys of the plug-in etcd of CoreDNS: labels from the root on below a prefix, and one label more
 * for each value (plugin/etcd/msg/path.go). Pure.
 */
import {
  type DnsName,
  isAtOrBelow,
  labelsOf,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import { fingerprint64 } from "../../model/fingerprint.ts";

/** Where addresses of the apex are, below the zone (plugin/backend_lookup.go: `checkForApex`). */
const APEX_FOLDER = "dns/apex";
/** Labels of a key's value. */
const LEAF_DIGITS = 8;

/** `/skydns` and `www.example.org` → `/skydns/org/example/www`. */
export function folderOf(prefix: string, name: DnsName): string {
  return [prefix, ...[...labelsOf(name)].reverse()].join("/");
}

/** `org/example/www` → `www.example.org`, without the first `strip` labels of the name. */
export function nameOf(prefix: string, key: string, strip: number): DnsName | null {
  const labels = key.slice(prefix.length + 1).split("/");
  const kept = labels.slice(0, labels.length - strip).reverse();
  return kept.length === 0 || kept.includes("") ? null : trustedDnsName(kept.join("."));
}

/** One key for each value, the same for everybody, so that two creators meet. */
export function leafOf(type: string, value: string): string {
  return fingerprint64(`${type} ${value}`).slice(0, LEAF_DIGITS);
}

/** The folders whose keys are a name's records; only those of an apex are two. */
export function foldersOf(prefix: string, name: DnsName, apex: DnsName): readonly string[] {
  const folder = folderOf(prefix, name);
  return name === apex ? [folder, `${folder}/${APEX_FOLDER}`] : [folder];
}

/** The name whose records a key's name shows: those of `apex.dns` are the apex's. */
export function shownName(name: DnsName, apex: DnsName): DnsName {
  return name === `apex.dns.${apex}` ? apex : name;
}

/** True for names that CoreDNS keeps for itself, below the zone. */
export function isReserved(name: DnsName, apex: DnsName): boolean {
  return isAtOrBelow(name, trustedDnsName(`dns.${apex}`));
}

/** The key behind all keys that begin with this one. */
export function endOf(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
