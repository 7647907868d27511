/**
 * How names, labels and keys of Kubernetes are spelt (apimachinery pkg/util/validation; RFC 1123
 * §2.1 and RFC 1035 §2.3.1), and what is said of those that are not.
 */

const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** What is said of a value of a label. */
export const LABEL_VALUE_DETAIL =
  "a valid label must be an empty string or consist of at most 63 alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
/** What is said of a key. */
export const QUALIFIED_NAME_DETAIL =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character, with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";

/** The pattern, length and error text of each rule for names. */
export const NAME_RULES = {
  // apimachinery pkg/api/validation/path IsValidPathSegmentName
  "path-segment": {
    pattern: /^(?!\.{1,2}$)[^/%]*$/,
    max: 253,
    detail: "may not be '.' or '..', nor contain '/' or '%'",
  },
  label: {
    pattern: LABEL,
    max: 63,
    detail:
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  },
  "label-1035": {
    pattern: LABEL_1035,
    max: 63,
    detail:
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  },
  subdomain: {
    pattern: SUBDOMAIN,
    max: 253,
    detail:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  },
} as const;

/** What is wrong with a name by a rule, its length first. Empty = nothing. */
export function nameFaults(text: string, rule: keyof typeof NAME_RULES): readonly string[] {
  const { max, pattern, detail } = NAME_RULES[rule];
  const length = text.length > max ? [`must be no more than ${max} characters`] : [];
  return pattern.test(text) ? length : [...length, detail];
}

/** `[prefix/]name`: a qualified name (apimachinery pkg/util/validation IsQualifiedName). */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf("/");
  const prefix = slash < 0 ? null : text.slice(0, slash);
  const name = text.slice(slash + 1);
  if (name.length > 63 || !QUALIFIED.test(name)) return false;
  return prefix === null || (prefix.length <= 253 && SUBDOMAIN.test(prefix));
}

/** True for what the value of a label may be. */
export function isLabelValue(text: string): boolean {
  return text === "" || (text.length <= 63 && QUALIFIED.test(text));
}
