/** NS: a host that is authoritative for the owner. RFC 1035 §3.3.11. */
import { parseRdataName } from "./name-text.ts";
import type { RdataFormat } from "./rdata-format.ts";

/** Type 2. */
export const NS: RdataFormat = { type: "NS", parse: (text) => parseRdataName(text.trim()) };
