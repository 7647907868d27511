/** What rdata is of: the type of a record, as text. */

/** Upper-case type mnemonic: `A`, `TXT`, `TYPE65280` (RFC 3597 §5). */
export type RecordType = string;
