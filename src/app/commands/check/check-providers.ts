/**
 * The part of `zonekeeper check` that asks the servers of DNSProviders: whether they list their
 * zones, let them be read, and would accept an UPDATE. That is tried by an UPDATE that changes
 * nothing. Also checks the fence of each zone (would `run` be the only writer?) and the owners of
 * its records.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { readClusterId } from "@zonekeeper/kube/client/access/cluster-id";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectReader } from "@zonekeeper/kube/ports/cluster-writer";
import type { RunConfig } from "../../../config/run-config.ts";
import {
  type AccountEnvironment,
  environmentFor,
} from "../../../controllers/accounts/guarded-environment.ts";
import {
  hasOtherType,
  type ProviderSpec,
  readProviderSpec,
  typeOf,
  zoneIdOf,
} from "../../../gardener/dns-provider/provider-spec.ts";
import { grantSecrets, userIn } from "../../../gardener/dns-provider/secret-namespaces.ts";
import { secretText } from "../../../gardener/dns-provider/secrets.ts";
import { isOfClass } from "../../../model/dns-class.ts";
import { settingsText } from "../../../model/external-dns-rules.ts";
import { DNS_PROVIDER } from "../../../model/kinds.ts";
import type { Zone } from "../../../model/zone.ts";
import type { OpenOwnership } from "../../../ownership/index.ts";
import type { OwnedRecordSet } from "../../../plan/changes.ts";
import type { ProviderSession, ProviderType } from "../../../providers/provider.ts";
import { fenceName } from "../../../sync/contract/fence-record.ts";
import { judgeFence, type Writer } from "../../../sync/fence/fence-verdict.ts";
import type { Connections } from "../run/open-clusters.ts";
import { type Finding, failed, problem, tried, well } from "./finding.ts";
import {
  clusterQuestion,
  ownerQuestion,
  readWantedNames,
  type WantedNames,
} from "./wanted-names.ts";

/** Everything that a check of the DNSProviders works with. */
export interface ProvidersContext {
  readonly config: RunConfig;
  readonly connections: Connections;
  /** Reads DNSProviders and Secrets in the provider cluster. */
  readonly reader: ObjectReader;
  readonly types: readonly ProviderType[];
  readonly environment: AccountEnvironment;
  readonly openOwnership: OpenOwnership;
  /**
   * The writer that `run` would be, with the highest epoch; null = its domain is not known
   * beforehand.
   */
  readonly fenceWriter: Writer | null;
  readonly signal: AbortSignal;
}

/** The same, with the names that DNSEntries of the class want. */
interface ZonesContext extends ProvidersContext {
  readonly wanted: WantedNames;
  /** Ids of the clusters whose objects are read. */
  readonly clusters: ReadonlySet<string>;
  /** Ids of the zones that DNSProviders have listed so far. */
  readonly listed: Set<string>;
}

/** The findings about all DNSProviders, in the order of the list. */
export async function checkProviders(context: ProvidersContext): Promise<readonly Finding[]> {
  const { reader, connections, config } = context;
  const { namespace, providerTypes, publish } = config;
  const { dnsClasses, blockedZones } = publish;
  const subject = "dnsproviders";
  try {
    const all = await reader.readAll(DNS_PROVIDER, namespace ?? undefined);
    const served = all.filter(
      (one) => isOfClass(one, dnsClasses) && !hasOtherType(one, providerTypes),
    );
    if (served.length === 0) {
      const types = providerTypes === null ? "" : ` and type ${[...providerTypes].join(", ")}`;
      const message = `there is none of class ${dnsClasses.join(", ")}${types}: no zone is served; docs/guides/own-server.md says how to make one`;
      return [problem(subject, message)];
    }
    const wanted = await readWantedNames({ ...connections.target, namespace, dnsClasses });
    const { id, writer } = connections.source;
    const clusters = new Set([wanted.clusterId, id ?? (await readClusterId(writer))]);
    const asked = { ...context, wanted, clusters, listed: new Set<string>() };
    const found = await Promise.all(served.map((one) => checkProvider(asked, one)));
    const isComplete = found.every(([provider]) => provider?.state === "ok");
    // Blocked ids that no account has: they are misspelt and block nothing.
    const strange = blockedZones.filter((one) => !asked.listed.has(zoneIdOf(one)));
    const message =
      "is the id of no zone of these DNSProviders, and blocks nothing; write it as their status.zones shows it, or leave it out";
    const blocked = strange.map((one) => problem(`--blocked-zone ${one}`, message));
    return [...found.flat(), ...(isComplete ? blocked : [])];
  } catch (error) {
    // A missing definition is a finding of check-clusters.ts.
    if (error instanceof OperationError && error.code === "NotFound") return [];
    return [failed(subject, error)];
  }
}

async function checkProvider(
  context: ZonesContext,
  object: KubeObject,
): Promise<readonly Finding[]> {
  const { name, namespace = "" } = object.metadata;
  const subject = `provider ${namespace}/${name}`;
  const spec = readProviderSpec(object);
  if (!spec.ok) return [problem(subject, spec.error)];
  const opened = await openSession(context, namespace, spec.value);
  if (!opened.ok) return [problem(subject, opened.error)];
  const session = opened.value;
  try {
    const zones = await session.zones(context.signal);
    for (const { id } of zones) context.listed.add(id);
    const found = await Promise.all(zones.map((zone) => checkZone(context, session, zone)));
    const names = zones.map((zone) => zone.name).join(", ");
    return [well(subject, `its server answers for ${names}`), ...found.flat()];
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return [problem(subject, messageOf(error))];
  } finally {
    session.close();
  }
}

async function openSession(
  { reader, types, environment }: ProvidersContext,
  namespace: string,
  spec: ProviderSpec,
): Promise<Result<ProviderSession>> {
  const where = settingsText(namespace, spec.secretName);
  const type = typeOf(spec, types);
  if (!type.ok) return type;
  const ref = { kind: SECRET, namespace, name: spec.secretName };
  const secret = await reader.read(ref).catch(refusalOf);
  if (typeof secret === "string")
    return fail(`${where} may not be read: ${grantSecrets(namespace, userIn(secret))}`);
  if (secret === null) return fail(`${where} not found; create it or correct spec.secretRef`);
  const texts = secretText(secret);
  if (!texts.ok) return fail(`${where}: ${texts.error}`);
  const settings = { secret: texts.value, config: spec.config };
  const session = await type.value.open(settings, environmentFor(namespace, environment));
  if (session.ok) return ok(session.value);
  return fail(`${session.error.map(({ message }) => message).join("; ")} (${where})`);
}

/** The API server's message when it forbids the reading; throws other errors again. */
function refusalOf(error: unknown): string {
  if (error instanceof OperationError && error.code === "Forbidden") return error.message;
  throw error;
}

async function checkZone(
  context: ZonesContext,
  session: ProviderSession,
  zone: Zone,
): Promise<readonly Finding[]> {
  const read = `zone ${zone.name}, transfer`;
  return Promise.all([
    tried(read, async () => {
      const { sets } = await session.records(zone, null, context.signal);
      const ownership = context.openOwnership(zone, session.capabilities);
      const owned = await ownership.read(sets);
      const asked = { ...context, owner: context.config.owner };
      const message = `${sets.length} record sets; ${ownersText(owned, asked.owner)}`;
      const questions = [ownerQuestion(owned, asked), clusterQuestion(owned, asked)];
      const text = questions.flatMap((one) => (one === null ? [] : `; ${one}`)).join("");
      return (text === "" ? well : problem)(read, `${message}${text}`);
    }),
    ...fenceFindings(context, session, zone),
    updateFinding(context, session, zone),
  ]);
}

/**
 * Whether the fence of the zone, the record that says which installation writes, would let `run`
 * write (Z-17); judged by the same function.
 */
function fenceFindings(
  { config: { owner }, fenceWriter, signal }: ProvidersContext,
  session: ProviderSession,
  zone: Zone,
): readonly Promise<Finding>[] {
  const name = fenceName(zone.name, owner);
  if (fenceWriter === null || name === null) return [];
  const subject = `zone ${zone.name}, fence`;
  const asked = tried(subject, async () => {
    const { sets } = await session.records(zone, null, signal);
    const found = sets.filter((set) => set.name === name);
    const verdict = judgeFence(found, fenceWriter);
    if ("stop" in verdict) {
      const { code, message } = verdict.stop;
      return problem(subject, `${code}: ${message}`);
    }
    return well(subject, `no other installation has the owner id ${owner}`);
  });
  return [asked];
}

/** `4 owned by east, 2 by west, 7 without an owner`. */
function ownersText(sets: readonly OwnedRecordSet[], owner: string): string {
  const counts = new Map<string, number>([[owner, 0]]);
  let unowned = 0;
  for (const { marker } of sets)
    if (marker === null || marker.owner === "") unowned += 1;
    else counts.set(marker.owner, (counts.get(marker.owner) ?? 0) + 1);
  const owned = [...counts].map(([id, count]) => `${count} owned by ${id}`);
  return [...owned, `${unowned} without an owner`].join(", ");
}

/**
 * An UPDATE that changes nothing: it removes a record set that the server has to find absent first
 * (RFC 2136 §2.4.3, §2.5.2). With an empty update section BIND would not ask its update-policy.
 */
async function updateFinding(
  { environment, signal }: ProvidersContext,
  session: ProviderSession,
  zone: Zone,
): Promise<Finding> {
  const subject = `zone ${zone.name}, update`;
  if (zone.providerType !== "rfc2136")
    return well(subject, "not tried: no call to its API changes nothing");
  const label = `zonekeeper-check-${environment.random.uuid().slice(0, 8)}`;
  const name = trustedDnsName(`${label}.${zone.name}`);
  const key = { name, type: "TXT", setIdentifier: null };
  const previous = {
    ...{ ...key, ttlSeconds: 300, values: ['"zonekeeper check"'] },
    ...{ properties: {}, routingPolicy: null },
  };
  const group = {
    ...{ name, keys: [] },
    changes: [{ op: "remove", previous } as const],
    preconditions: [{ is: "absent", key } as const],
  };
  return tried(subject, async () => {
    for await (const outcome of session.apply(zone, [group], signal)) {
      if (outcome.status === "applied")
        return well(subject, "the key may send updates; nothing was changed");
      return problem(subject, outcome.message);
    }
    return { subject, state: "unknown", message: "the provider gave no outcome" };
  });
}
