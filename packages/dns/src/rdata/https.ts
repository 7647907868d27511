/** HTTPS: SVCB for web origins. RFC 9460 §9; the same fields, text and rules. */
import type { RdataFormat } from "./rdata-format.ts";
import { parseServiceBinding } from "./svcb.ts";

/** Type 65. */
export const HTTPS: RdataFormat = { type: "HTTPS", parse: parseServiceBinding };
