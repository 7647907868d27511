/**
 * Writes the status of DNSProviders, if it differs, and records an Event and a log line where the
 * state changed. What the status is to be, decide-provider.ts decides.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import { conditionsOf } from "../../controllers/objects/conditions.ts";
import { type StateCause, stateConditions } from "../../controllers/objects/state-conditions.ts";
import { LEFT_TO_OTHERS, StatusPace } from "../../controllers/objects/status-pace.ts";
import {
  ConditionsSupport,
  type PatchOptions,
  statusPatch,
} from "../../controllers/objects/status-patch.ts";
import type { EntryRate } from "../../controllers/zone-choice/provider-facts.ts";
import { DNS_PROVIDER } from "../../model/kinds.ts";
import type { ZoneSelection } from "./select-zones.ts";

/** Everything that it works with. */
export interface ProviderStatusPorts {
  readonly writer: Pick<ClusterWriter, "patchStatus">;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  readonly log: Log;
}

/** There is one for all DNSProviders of one cluster; ids are `namespace/name`. */
export class ProviderStatusWriter {
  readonly #ports: ProviderStatusPorts;
  readonly #conditions = new ConditionsSupport();
  readonly #others: StatusPace;
  /** By DNSProvider: why it was not ready when its state was logged last; null = it was ready. */
  readonly #logged = new Map<string, string | null>();

  constructor(ports: ProviderStatusPorts) {
    this.#ports = ports;
    this.#others = new StatusPace(ports.clock, LEFT_TO_OTHERS);
  }

  forget(id: string): void {
    this.#logged.delete(id);
  }

  /**
   * Writes only what differs; throws as the writer does. Answers the milliseconds after which to
   * show it again, because another process overwrote this status; 0 = not needed.
   */
  async show(id: string, provider: KubeObject, status: ProviderStatus): Promise<number> {
    const { writer, recorder, clock } = this.#ports;
    const { keepsConditions } = this.#conditions;
    const options = { nowMs: clock.nowMs(), keepsConditions };
    const patch = providerStatusPatch(provider, status, options);
    if (patch === null) return 0;
    const before = fieldsOf(provider["status"]);
    const { name, namespace = "", uid, generation } = provider.metadata;
    const text = JSON.stringify([uid, generation, status]);
    const waitMs = before["state"] === undefined ? 0 : this.#others.waitMs(id, text);
    if (waitMs > 0) return waitMs;
    this.#logState(id, status);
    const ref = { kind: DNS_PROVIDER, namespace, name };
    const written = await writer.patchStatus(ref, patch);
    this.#conditions.wrote(patch, written);
    if (providerStatusPatch(written, status, options) === null) this.#others.wrote(id, text);
    const isNew = status.state === "Error" && status.message !== before["message"];
    if (status.state === before["state"] && !isNew) return 0;
    const type = status.state === "Ready" ? "Normal" : "Warning";
    const note = { type, reason: `DNSProvider${status.state}`, message: status.message } as const;
    recorder.record(provider, note);
    return 0;
  }

  /**
   * Logs a change of the state. A DNSProvider with wrong settings sends no query that would be
   * logged.
   */
  #logState(provider: string, { state, message }: ProviderStatus): void {
    const { log } = this.#ports;
    const reason = state === "Ready" ? null : message;
    if (this.#logged.get(provider) === reason) return;
    this.#logged.set(provider, reason);
    if (reason === null) log.info("DNSProvider is ready", { provider });
    else log.warn("DNSProvider is not ready", { provider, reason });
  }
}

/** The desired status. */
export interface ProviderStatus extends StateCause {
  readonly state: "Ready" | "Error";
  readonly message: string;
  /** Null = not known now; the stored selection stays. */
  readonly selection: ZoneSelection | null;
  /** Seconds, effective. */
  readonly defaultTtlSeconds: number;
  /** How fast changed entries are taken; null = at once. */
  readonly rateLimit: EntryRate | null;
}

/** The patch, or null when the object shows it already. */
export function providerStatusPatch(
  object: KubeObject,
  status: ProviderStatus,
  options: PatchOptions,
): Readonly<Record<string, unknown>> | null {
  const { selection } = status;
  const idOf = ({ id }: { readonly id: string }): string => id;
  const current = fieldsOf(object["status"]);
  const generation = object.metadata.generation ?? 0;
  const stated = stateConditions(status, current);
  const { nowMs } = options;
  const wanted = {
    state: status.state,
    message: status.message,
    observedGeneration: generation,
    defaultTTL: status.defaultTtlSeconds,
    rateLimit: status.rateLimit,
    ...(selection && {
      domains: selection.domains,
      zones: {
        included: selection.zones.included.map(idOf),
        excluded: selection.zones.excluded.map(idOf),
      },
    }),
    conditions: conditionsOf({ current: current["conditions"], wanted: stated, generation, nowMs }),
  };
  return statusPatch(current, wanted, options);
}
