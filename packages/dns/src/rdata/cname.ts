/** CNAME: the name that the owner is an alias of. RFC 1035 §3.3.1. */
import { parseRdataName } from "./name-text.ts";
import type { RdataFormat } from "./rdata-format.ts";

/** Type 5. */
export const CNAME: RdataFormat = { type: "CNAME", parse: (text) => parseRdataName(text.trim()) };
