/** The end of one step of UPDATE processing. A value, nothing is thrown. */
import type { Rcode } from "../../wire/message/message.ts";

/** Null = the step found nothing wrong, go on. */
export type UpdateVerdict = Exclude<Rcode, "NOERROR"> | null;
