/**
 * Texts that people write where a target belongs and that are neither an address nor a host name.
 * Each gets words of its own: what is wrong, and what to write. Judges the form only.
 */
import { type DnsName, labelsOf } from "../../model/dns-name.ts";

/** Tried in this order, because some texts have two of these forms. */
const MISTAKES: readonly { readonly form: RegExp; readonly message: string }[] = [
  { form: /^$/, message: "it is empty; write an address or a host name" },
  {
    form: /^[a-z][a-z\d+.-]*:\/\//i,
    message: "it is a URL; write its host name alone, without scheme, port and path",
  },
  { form: /^\[/, message: "write the IPv6 address without brackets and without a port" },
  { form: /^[\d.]+\/\d+$/, message: "it is a network; write one address, without /…" },
  {
    form: /^[\da-f:.]+:[\da-f:.]*\/\d+$/i,
    message: "it is a network; write one address, without /…",
  },
  {
    form: /^[\da-f:]+%/i,
    message: "a zone index (%…) has a meaning on one host only; write an address without it",
  },
  { form: /^[^:]+:\d{1,5}$/, message: "a DNS record holds no port; write it without :…" },
];

/** Why the trimmed text cannot be a target, with the remedy; null = its form is possible. */
export function targetMistake(text: string): string | null {
  return MISTAKES.find(({ form }) => form.test(text))?.message ?? null;
}

/**
 * Why the name is no host name, with the remedy; null = it is one. Its last label is no number (RFC
 * 1123 §2.1: such a text is read as an address). `/` stands in reverse zones alone (RFC 2317 §4).
 */
export function hostMistake(name: DnsName): string | null {
  const labels = labelsOf(name);
  const last = labels.at(-1) ?? "";
  if (/^\d+$/.test(last))
    return `it is no host name, because its last label "${last}" is a number; write an address or a host name`;
  if (name.includes("/") && last !== "arpa")
    return "it is no host name, because it has a /; write the host name alone";
  if (labels[0] === "*") return "it is a wildcard; write one host name";
  return null;
}
