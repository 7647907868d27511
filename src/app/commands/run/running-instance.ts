/**
 * The `Instance` of `run`, which HTTP servers, metrics and the election ask, over all terms of
 * leadership. While it stands by (another replica leads), it has a plan and writes nothing.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Resolver } from "../../../ports/resolver.ts";
import type { NameExplanation } from "../../../sync/contract/name-explanation.ts";
import {
  askResolvers,
  hasAddress,
  type ResolverAnswer,
} from "../../compose/authority/ask-resolvers.ts";
import {
  type AskPorts,
  askServers,
  type ServerAnswer,
} from "../../compose/authority/ask-servers.ts";
import type { Composition } from "../../compose/compose.ts";
import { ExternalDnsGauges } from "../../compose/external-dns-gauges.ts";
import {
  NO_FIGURES,
  setFurtherGauges,
  setGardenerGauges,
  setImportGauges,
  ZoneGauges,
} from "../../compose/gauges.ts";
import {
  type FurtherStatus,
  type HealthCheck,
  type Instance,
  NO_WORK,
  type UserReviews,
  type Work,
} from "../../compose/instance.ts";
import type { ObservedName } from "../../compose/observed-names.ts";
import { identityTrouble } from "../../compose/zone-checks.ts";
import type { PrometheusMetrics } from "../../ports/prometheus-metrics.ts";
import { PLUGIN_NAME } from "../process/program-context.ts";
import type { FurtherClusters } from "./further-clusters.ts";
import { previewText, ShadowPlan, standbyText } from "./preview.ts";

/** Text about a holder of the Lease that belongs to another installation, and what to do. */
export function strangeLeader(installation: string): string {
  return `which is of another installation (${installation}): run with these options stands by for ever. Give it a Lease of its own with --lease-name`;
}

/** Everything that it asks servers and resolvers with. */
interface InstancePorts extends AskPorts {
  readonly resolver: Resolver;
  /** Resolvers of `--resolvers`; absent = those of the system. */
  readonly resolvers?: readonly string[];
  /** `--api-users`: tokens of users of the cluster are accepted. */
  readonly takesUsers?: boolean;
  /** True = this process never writes; absent = false. */
  readonly isDryRun?: boolean;
  /** True = it also has the metrics of external-dns; absent = false. */
  readonly isExternalDns?: boolean;
  /**
   * Rewrites commands for people who reach it through kubectl (`ProgramPorts`); absent = they do
   * not.
   */
  readonly asTyped?: (text: string) => string;
}

const NO_PLAN = "it has no plan";

/** There is one for the life of the process. */
export class RunningInstance implements Instance {
  readonly #ports: InstancePorts;
  readonly #metrics: PrometheusMetrics;
  readonly #clock: Clock;
  readonly #gauges: ZoneGauges;
  readonly #externalDns: ExternalDnsGauges;
  readonly #shadow = new ShadowPlan();
  #composition: Composition | null = null;
  #waiting: string | null = "starting";
  /** Identity of the holder of the Lease; empty = not known. */
  #leader = "";
  /** The other installation that the leader belongs to; null = it is of ours. */
  #otherInstallation: string | null = null;
  readonly #further: Pick<Instance, "checks">[] = [];
  readonly commandName: string = "zonekeeper";
  /**
   * Reviews of users' tokens (`Instance`); absent without `--api-users`, null until clusters are
   * known.
   */
  reviews?: UserReviews | null;
  /** False = the compositions from now on write nothing: a dry run, or a standby. */
  isWriting = true;
  /** Rank in the election, the lower first; null = it has none. */
  rank: number | null = null;
  /** The last answer of `leadTrouble` that the election got. */
  lastTrouble: string | null = NO_PLAN;

  constructor(metrics: PrometheusMetrics, ports: InstancePorts) {
    const { clock, asTyped, takesUsers = false } = ports;
    if (takesUsers) this.reviews = null;
    if (asTyped !== undefined) this.commandName = PLUGIN_NAME;
    this.#ports = ports;
    this.#metrics = metrics;
    this.#clock = clock;
    this.#gauges = new ZoneGauges(metrics, clock);
    this.#externalDns = new ExternalDnsGauges(metrics);
  }

  /** It is not ready, for this reason; null = it is ready, at least to stand by. */
  waitFor(reason: string | null): void {
    this.#waiting = reason;
  }

  /**
   * Another replica holds the Lease; empty = nobody is known to. `other`: the other installation
   * that it belongs to; null = ours.
   */
  standBy(leader: string, other: string | null = null): void {
    this.#leader = leader;
    this.#otherInstallation = other;
  }

  /** The composition whose work counts as this instance's own; a standby has none. */
  get #own(): Composition | null {
    return this.isWriting || this.#ports.isDryRun === true ? this.#composition : null;
  }

  dryRunText(): string | null {
    if (this.#composition === null || this.isWriting) return null;
    if (this.#ports.isDryRun === true) return previewText(this.#leader);
    const readAtMs = this.work.zones().map((zone) => zone.readAtMs);
    return `${standbyText(this.#leader, readAtMs, this.#clock.nowMs())}${this.#remark}`;
  }

  /** Why it should not lead now; null = its plan would change nothing. */
  leadTrouble(): string | null {
    if (this.#composition === null || this.#own !== null) return NO_PLAN;
    const nowMs = this.#clock.monotonicMs();
    return this.#shadow.trouble(this.work.zones(), this.#composition.checks(), nowMs);
  }

  /** A term begins. */
  begin(composition: Composition): void {
    invariant(this.#composition === null, "a term ends before the next begins");
    this.#composition = composition;
  }

  /** The term ends; resolves when nothing is written any more. */
  async end(): Promise<void> {
    const composition = this.#composition;
    this.#composition = null;
    await composition?.stop();
  }

  /** The further source clusters of this process; null = not known yet. */
  #furtherClusters: FurtherClusters | null = null;

  furtherClusters(): readonly FurtherStatus[] {
    const checks = this.checks();
    return (this.#furtherClusters?.statuses() ?? []).map((one) => {
      const trouble = identityTrouble(checks, one.id);
      return trouble === "" ? one : { ...one, state: "Changed", message: trouble };
    });
  }

  observed(): Promise<readonly ObservedName[]> {
    return this.work.observed(this.#furtherClusters?.observed ?? []);
  }

  addFurther(clusters: FurtherClusters): void {
    this.#furtherClusters = clusters;
    this.#further.push(clusters);
  }

  /** Adds checks to those of the composition. */
  addChecks(more: Pick<Instance, "checks">): void {
    this.#further.push(more);
  }

  checks(): readonly HealthCheck[] {
    return [...this.#ownChecks(), ...this.#further.flatMap((one) => one.checks())];
  }

  /** A standby is ready, since it would otherwise block rolling updates. */
  #ownChecks(): readonly HealthCheck[] {
    if (this.#waiting !== null) return [{ name: "clusters", ok: false, message: this.#waiting }];
    const holder = this.#leader === "" ? "" : ` for ${this.#leader}`;
    if (this.#own !== null) return this.#own.checks();
    const trouble =
      this.lastTrouble === null ? "" : `, and does not ask for the lead: ${this.lastTrouble}`;
    const rank = this.rank === null ? "" : `; rank ${this.rank}${trouble}`;
    const message = `standing by${holder}${this.#remark}${rank}`;
    const work = this.#composition?.checks() ?? [];
    const ready = work.map((check) => ({ ...check, readyAnyway: true as const }));
    return [{ name: "lease", ok: true, message }, ...ready];
  }

  standbyReply(): string | null {
    if (this.#own !== null) return null;
    if (this.#waiting !== null) return `this instance is not at work yet: ${this.#waiting}`;
    const leader = this.#leader === "" ? "" : `: ${this.#leader}`;
    return `this instance does not lead. Ask the instance that holds the Lease${leader}${this.#remark}`;
  }

  leader(): string {
    return this.#leader;
  }

  /** Text about a leader of another installation; empty = the leader is of ours. */
  get #remark(): string {
    return this.#otherInstallation === null ? "" : `, ${strangeLeader(this.#otherInstallation)}`;
  }

  get work(): Work {
    return this.#composition ?? NO_WORK;
  }

  askServers(explanation: NameExplanation): Promise<readonly ServerAnswer[]> {
    return askServers(this.#ports, explanation);
  }

  askResolvers(name: DnsName, types: readonly string[]): Promise<readonly ResolverAnswer[]> {
    const servers = this.#ports.resolvers ?? [];
    return askResolvers({ ...this.#ports, servers }, name, types);
  }

  hasAddress(name: DnsName): Promise<boolean | null> {
    return hasAddress(this.#ports, name);
  }

  async scrape(): Promise<{ readonly contentType: string; readonly text: string }> {
    const checks = this.checks();
    const nowMs = this.#clock.nowMs();
    // A standby reports no work: what leader and standby both reported would count twice.
    const work = this.#own ?? NO_WORK;
    const zones = work.zones();
    this.#gauges.set(zones, checks, this.isWriting);
    if (this.#ports.isExternalDns === true) await this.#externalDns.set(work, zones, checks, nowMs);
    setFurtherGauges(this.#metrics, this.furtherClusters());
    setGardenerGauges(this.#metrics, this.#own?.figures() ?? NO_FIGURES);
    setImportGauges(this.#metrics, work.imports(), nowMs);
    return this.#metrics.scrape();
  }
}
