/** The option of the condition Live, a part of the option table. */
import type { Option } from "./option.ts";
import { option } from "./option-row.ts";

/** In the order of the help text. */
export const LIVE_OPTIONS: readonly Option[] = [
  option({
    name: "live-check",
    type: "integer",
    default: "0",
    unit: "queries a minute",
    min: 0,
    max: 60_000,
    doc: 'Ask all servers of the zone for what each DNSEntry and DNSEndpoint has published, and show it as the condition Live, within this many queries a minute. 0 = only objects with the annotation zonekeeper.dev/live-check: "true", at 60.',
    commands: ["dev", "run"],
  }),
];
