/** The option of look-ups of host names, a part of the option table. */
import type { Option } from "./option.ts";
import { option } from "./option-row.ts";

/** In the order of the help text. */
export const LOOKUP_OPTIONS: readonly Option[] = [
  option({
    name: "lookup-servers",
    type: "list",
    doc: "Name servers that look up host names which objects list as targets: an IP address, with :port if it is not 53. Default: those of the system.",
    commands: ["dev", "run"],
  }),
];
