/** Numbers of classes, opcodes and response codes (RFC 6895 §2, §3.2). */
import { registry } from "../../rdata/registry.ts";

/** Classes, 16 bits. */
export const CLASSES = registry("CLASS", { IN: 1, CH: 3, NONE: 254, ANY: 255 });

/** Opcodes, 4 bits. */
export const OPCODES = registry("OPCODE", { QUERY: 0, NOTIFY: 4, UPDATE: 5 });

const ERRORS = {
  ...{ NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 },
  ...{ YXDOMAIN: 6, YXRRSET: 7, NXRRSET: 8, NOTAUTH: 9, NOTZONE: 10 },
};

/** Response codes: 12 bits of header and OPT. */
export const RCODES = registry("RCODE", { ...ERRORS, BADVERS: 16 });

/** RFC 8945 §3: in the error field of TSIG 16 means BADSIG, not BADVERS. */
export const TSIG_ERRORS = registry("RCODE", {
  ...ERRORS,
  ...{ BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 },
});
