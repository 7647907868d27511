/** International names (UTS #46) through the platform. */
import { domainToASCII } from "node:url";

/** The A-label form, or null when there is none. ASCII stays as it is, underscores and `*` too. */
export function toAscii(text: string): string | null {
  const converted = domainToASCII(text);
  return converted === "" ? null : converted;
}
