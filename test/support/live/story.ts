/**
 * The story of the live tests in one real zone: below a random label a name is created, changed,
 * retyped and deleted with its markers, and two owners claim one name at once. What it wrote is
 * removed at the end, also after a failure; nothing beside the label is touched.
 */
import { randomBytes } from "node:crypto";
import { RealClock } from "../../../src/app/ports/real-clock.ts";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Zone } from "../../../src/model/zone.ts";
import { PROVIDER_TYPES } from "../../../src/providers/index.ts";
import type { ProviderSession } from "../../../src/providers/provider.ts";
import { remove, soon } from "../../conformance/provider-harness.ts";
import { eventually } from "../ports/eventually.ts";
import { realEnvironment } from "../values/rfc2136-session.ts";
import type { LiveAccount } from "./accounts.ts";
import { LiveOwner } from "./live-owner.ts";

const CALL_TIMEOUT_MS = 120_000;
const CLEANING_ROUNDS_MAX = 5;
const ROUND_PAUSE_MS = 2_000;
const RACERS = ["192.0.2.11", "192.0.2.12"] as const;

/** A zone, and the label below which the story plays. */
class Stage {
  readonly session: ProviderSession;
  readonly zone: Zone;
  readonly label: string;
  readonly #patienceMs: number;

  constructor(at: Pick<Stage, "session" | "zone" | "label">, patienceMs: number) {
    this.session = at.session;
    this.zone = at.zone;
    this.label = `${at.label}.${at.zone.name}`;
    this.#patienceMs = patienceMs;
  }

  /** `eventually`, as long as this account may take. */
  becomes<T>(what: string, poll: () => Promise<T>, isRight: (seen: T) => boolean): Promise<T> {
    return eventually(what, poll, isRight, this.#patienceMs);
  }

  /** What is at the label and below it, as the provider lists it. */
  async read(): Promise<readonly RecordSet[]> {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const { sets } = await this.session.records(this.zone, null, signal);
    return sets.filter(({ name }) => name === this.label || name.endsWith(`.${this.label}`));
  }

  /** `A 192.0.2.1` of a name; markers apart. */
  async dataAt(name: string): Promise<string> {
    const sets = (await this.read()).filter((set) => set.name === name && set.type !== "TXT");
    return sets.map(({ type, values }) => [type, ...values].join(" ")).join(", ");
  }

  async shows(name: string, data: string): Promise<void> {
    const current = (): Promise<string> => this.dataAt(name);
    await this.becomes(`${name} is ${data}`, current, (one) => one === data);
  }
}

/** Throws where the zone does not become what the owners want, and where something is left. */
export async function playLive(account: LiveAccount): Promise<void> {
  const { type, zone: apex, settings, patienceMs } = account;
  const session = await openSession(type, settings);
  const id = `zk-live-${randomBytes(5).toString("hex")}`;
  try {
    const zone = (await session.zones(soon())).find(({ name }) => name === apex);
    if (zone === undefined) throw new Error(`the account shows no zone ${apex}`);
    const stage = new Stage({ session, zone, label: id }, patienceMs);
    const owners = ["a", "b"].map((one) => new LiveOwner(`${id}-${one}`, zone, session));
    try {
      await play(stage, owners);
    } finally {
      await Promise.all(owners.map((owner) => owner.stop()));
      await cleanUp(stage);
    }
  } finally {
    session.close();
  }
}

async function openSession(
  type: string,
  settings: LiveAccount["settings"],
): Promise<ProviderSession> {
  const provider = PROVIDER_TYPES.find((one) => one.type === type);
  if (provider === undefined) throw new Error(`there is no provider ${type}`);
  const environment = realEnvironment({ clock: new RealClock() });
  const opened = await provider.open(settings, environment);
  if (opened.ok) return opened.value;
  throw new Error(opened.error.map(({ message }) => message).join("; "));
}

async function play(stage: Stage, owners: readonly LiveOwner[]): Promise<void> {
  const [owner] = owners;
  if (owner === undefined) throw new Error("nobody plays");
  const www = `www.${stage.label}`;
  for (const [type, value] of [
    ["A", "192.0.2.1"],
    ["A", "192.0.2.2"],
    ["CNAME", "lb.example.com"],
  ] as const) {
    owner.wants(www, { type, values: [value] });
    const state = async () => owner.reportOf(www)?.state ?? "";
    await stage.becomes(`${www} is published`, state, (one) => one === "published");
    await stage.shows(www, `${type} ${value}`);
  }
  if (!(await stage.read()).some(({ type }) => type === "TXT"))
    throw new Error(`${www} has no marker`);
  owner.drops(www);
  await isEmpty(stage);
  await race(stage, owners);
  await isEmpty(stage);
}

/** One has it, and the other one is told whose it is. */
async function race(stage: Stage, owners: readonly LiveOwner[]): Promise<void> {
  const name = `race.${stage.label}`;
  owners.forEach((owner, index) => {
    owner.wants(name, { type: "A", values: [RACERS[index] ?? ""] });
  });
  // Without preconditions a second reading decides, so who has it may change once.
  const seen = async () =>
    [...owners.map((owner) => owner.reportOf(name)?.state), await stage.dataAt(name)].join(" ");
  const ends = [`published held A ${RACERS[0]}`, `held published A ${RACERS[1]}`];
  await stage.becomes("one of two has the name", seen, (now) => ends.includes(now));
  for (const owner of owners) owner.drops(name);
}

async function isEmpty(stage: Stage): Promise<void> {
  const left = async () => (await stage.read()).map(({ name, type }) => `${name} ${type}`);
  await stage.becomes("nothing is left", left, (names) => names.length === 0);
}

/** Exactly what is read below the label is removed, as often as it takes. */
async function cleanUp(stage: Stage): Promise<void> {
  for (let round = 0; round < CLEANING_ROUNDS_MAX; round++) {
    const left = await stage.read();
    if (left.length === 0) return;
    for (const set of left) await removed(stage, set);
    await new Promise((wake) => setTimeout(wake, ROUND_PAUSE_MS));
  }
  const names = (await stage.read()).map(({ name, type }) => `${name} ${type}`);
  if (names.length > 0) throw new Error(`left behind, remove it by hand: ${names.join(", ")}`);
}

/** What became of it is read afterwards. */
async function removed({ session, zone }: Stage, set: RecordSet): Promise<void> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  for await (const _outcome of session.apply(zone, [remove(set)], signal));
}
