/** The classes of a process that is given none. */
import { DEFAULT_CLASS, type DnsClasses } from "../../../src/model/dns-class.ts";

export const DEFAULT_CLASSES: DnsClasses = [DEFAULT_CLASS];
