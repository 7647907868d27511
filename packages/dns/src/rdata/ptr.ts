/** PTR: a name somewhere in the tree. RFC 1035 §3.3.12. */
import { parseRdataName } from "./name-text.ts";
import type { RdataFormat } from "./rdata-format.ts";

/** Type 12. */
export const PTR: RdataFormat = { type: "PTR", parse: (text) => parseRdataName(text.trim()) };
