/** DNAME: everything below the owner is redirected to another part of the tree. RFC 6672 §2.1. */
import { parseRdataName } from "./name-text.ts";
import type { RdataFormat } from "./rdata-format.ts";

/** Type 39. */
export const DNAME: RdataFormat = { type: "DNAME", parse: (text) => parseRdataName(text.trim()) };
