/** Environment variables that look like options and are none: mistyped ones. Pure. */
import { environmentName, type Option } from "../../config/option.ts";
import { OPTIONS } from "../../config/options-table.ts";
import { editDistance } from "../../model/edit-distance.ts";

/** What Kubernetes sets in a pod for a Service of our name (`ZONEKEEPER_SERVICE_HOST`). */
const OF_SERVICES = /_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\d+_(TCP|UDP|SCTP)(_.*)?)$/;
const SERVICE_ADDRESS = /^(tcp|udp|sctp):\/\//;
/** Letters that a typing mistake changes. */
const TYPO_LETTERS = 2;

/** One line for each, for stderr; sorted. `further`: rows of plug-in modules. */
export function unknownVariables(
  environment: NodeJS.ProcessEnv,
  further: readonly Option[] = [],
): readonly string[] {
  const known = [...OPTIONS, ...further].map(({ name }) => environmentName(name));
  return Object.entries(environment)
    .filter(([name, value]) => isMeant(name, value ?? "") && !known.includes(name))
    .map(([name]) => {
      const near = known.find((one) => editDistance(name, one) <= TYPO_LETTERS);
      const hint =
        near === undefined ? "docs/reference/options.md lists them" : `did you mean ${near}?`;
      return `the environment variable ${name} is none of an option and has no effect; ${hint}`;
    })
    .sort();
}

function isMeant(name: string, value: string): boolean {
  if (!name.startsWith("ZONEKEEPER_") || OF_SERVICES.test(name)) return false;
  return !(name.endsWith("_PORT") && SERVICE_ADDRESS.test(value));
}
