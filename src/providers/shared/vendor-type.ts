/** A row of `PROVIDER_TYPES`: settings are checked, and a session is opened with them. */
import { ok, type Result } from "@zonekeeper/base/result";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type {
  NamedZones,
  OpenedSession,
  ProviderEnvironment,
  ProviderSession,
  ProviderSettings,
} from "../provider.ts";
import { zonesOf } from "./settings.ts";

/** `parse`: all problems at once; `mayBorrow` = it may use the program's own identity (Z-29). */
export function vendorType<O>(
  type: string,
  parse: (settings: ProviderSettings, mayBorrow: boolean) => Result<O, readonly Problem[]>,
  open: (options: O, environment: ProviderEnvironment) => ProviderSession,
) {
  return {
    type,
    open(settings: ProviderSettings, environment: ProviderEnvironment): OpenedSession {
      const options = parse(settings, environment.hidesTroubles !== true);
      return options.ok ? ok(open(options.value, environment)) : options;
    },
  };
}

/** The same of a class of sessions. */
export function sessionType<O>(
  type: string,
  parse: Parameters<typeof vendorType<O>>[1],
  Session: new (options: O, environment: ProviderEnvironment) => ProviderSession,
) {
  return vendorType(type, parse, (options, environment) => new Session(options, environment));
}

/** Of a type whose field `zones` names them. */
export function namedZones({ config }: ProviderSettings): NamedZones {
  return zonesOf(fieldsOf(config)["zones"]) ?? [];
}
