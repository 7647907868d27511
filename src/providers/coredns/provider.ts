/** The provider type `coredns-etcd`: zones that CoreDNS answers from etcd. */
import { ok } from "@zonekeeper/base/result";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type {
  NamedZones,
  OpenedSession,
  ProviderEnvironment,
  ProviderSettings,
  ProviderType,
} from "../provider.ts";
import { zonesOf } from "../shared/settings.ts";
import { parseOptions } from "./options.ts";
import { COREDNS_TYPE, CoreDnsSession } from "./session.ts";

/** Secret: `Server`, perhaps `Username` and `Password`; see options.ts for the rest. */
export const COREDNS_PROVIDER = {
  type: COREDNS_TYPE,
  open(settings: ProviderSettings, environment: ProviderEnvironment): OpenedSession {
    const options = parseOptions(settings);
    return options.ok ? ok(new CoreDnsSession(options.value, environment)) : options;
  },
  namedZones({ config }: ProviderSettings): NamedZones {
    return zonesOf(fieldsOf(config)["zones"]) ?? [];
  },
} satisfies ProviderType;
