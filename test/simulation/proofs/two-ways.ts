/**
 * Two ways to one apex (Z-18): what the second one shows, which of them came first, and whose key
 * is refused, in every combination. Nothing is written through a way that may lead into the zone of
 * another one and is not proven to; one that is proven shares its actor, and each goes on alone.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { ProviderSession } from "../../../src/providers/provider.ts";
import type { WayFacts } from "../../../src/sync/contract/zone.ts";
import type { MemoryZone } from "../../support/memory-provider/memory-zone.ts";
import { APEX, engineWorld, entry, KEY } from "../../support/worlds/engine-world.ts";
import { Violation } from "../checks/checks.ts";

/**
 * What the second way shows. `copy`: a zone with the same apex. `mirror`: its answers are those of
 * the zone, and what is written there goes into a copy. `outer`: a zone with other servers.
 */
const SHOWS = ["the zone", "copy", "mirror", "outer"] as const;
/** The second one is younger; or it came before, though it is younger. */
const ORDERS = ["later", "earlier"] as const;
/** Whose key is refused once both were known; `early`: the second one's, from the start. */
const REFUSED = ["none", "first", "second", "early"] as const;
/** What the older DNSProvider says of the younger one. */
const SAYS = ["nothing", "other"] as const;

interface Case {
  readonly shows: (typeof SHOWS)[number];
  readonly order: (typeof ORDERS)[number];
  readonly refused: (typeof REFUSED)[number];
  readonly says: (typeof SAYS)[number];
}

const CASES: readonly Case[] = SHOWS.flatMap(
  (shows) =>
    ORDERS.flatMap((order) =>
      REFUSED.flatMap((refused) => SAYS.map((says) => ({ shows, order, refused, says }))),
    ),
  // The word of a person does not turn a mirror into another zone.
).filter(({ shows, says }) => shows !== "mirror" || says === "nothing");
const SECOND = { account: "b", zone: "second" };
/** Longer than a proof takes, and than a way that fails is tried again. */
const LONG_MS = 120_000;
/** Calls of one case; they are some hundreds. */
const CALLS_MOST = 2_000;

/** Throws Violation at the first case that goes wrong; else the number of cases. */
export async function playSeed(): Promise<number> {
  for (const one of CASES) {
    const play = new Play(one);
    try {
      await play.play();
    } finally {
      await play.end();
    }
  }
  return CASES.length;
}

class Play {
  readonly #world = engineWorld();
  readonly #case: Case;
  readonly #secondZone: MemoryZone;
  readonly #refused = new Set<"first" | "second">();
  #calls = 0;

  constructor(given: Case) {
    this.#case = given;
    this.#secondZone = this.#world.account.addZone({
      name: APEX,
      id: "beside",
      endpoint: "beside",
    });
    const { content } = this.#secondZone;
    const [servers] = content.at(APEX).filter(({ type }) => type === "NS");
    if (given.shows === "outer" && servers !== undefined)
      content.write([{ key: servers, next: { ...servers, values: ["ns.outer.example.net"] } }]);
  }

  async play(): Promise<void> {
    const { engine, clock } = this.#world;
    const { order, refused } = this.#case;
    if (refused === "early") this.#refused.add("second");
    const opens = [() => this.#openFirst(), () => this.#openSecond()];
    for (const open of order === "later" ? opens : opens.reverse()) {
      open();
      await clock.advance(LONG_MS);
    }
    engine.contribute(KEY, entry("a", ["192.0.2.1"]));
    engine.contribute(SECOND, entry("b", ["192.0.2.2"]));
    await clock.advance(LONG_MS);
    const isLate = refused === "first" || refused === "second";
    this.#expectRecords(1, this.#isLeading() ? 1 : 0);
    if (isLate) this.#refused.add(refused);
    await clock.advance(LONG_MS);
    engine.contribute(KEY, { ...entry("a", ["192.0.2.1"]), deleting: true });
    engine.contribute(SECOND, { ...entry("b", ["192.0.2.2"]), deleting: true });
    await clock.advance(LONG_MS);
    // What only a refused key may remove stays, and what goes into a copy that is never read.
    const isUnseen = refused === "first" && this.#case.shows === "mirror";
    const isLeft = isUnseen || (refused === "second" && this.#isLeading());
    this.#expectRecords(refused === "first" ? 1 : 0, isLeft ? 1 : 0);
  }

  async end(): Promise<void> {
    // A call that waits for virtual time ends with the case.
    void this.#world.engine.stop();
  }

  /** The second way leads into the zone, or into one that is known to be another one. */
  #isLeading(): boolean {
    const { shows, says, refused } = this.#case;
    if (refused === "early") return false;
    return shows === "the zone" || shows === "outer" || (shows === "copy" && says === "other");
  }

  #openFirst(): void {
    const { engine, zoneInput } = this.#world;
    const otherThan = this.#case.says === "other" ? ["tenant/second"] : [];
    engine.openZone({
      ...zoneInput,
      session: this.#guarded("first", zoneInput.session),
      facts: () => factsOf(1, "infra/first", otherThan),
    });
  }

  #openSecond(): void {
    const { engine, zoneInput } = this.#world;
    const { zone } = this.#secondZone;
    engine.openZone({
      ...zoneInput,
      key: SECOND,
      zone: this.#case.shows === "the zone" ? { ...zoneInput.zone, endpoint: "localhost" } : zone,
      session: this.#guarded("second", this.#secondSession()),
      facts: () => factsOf(2, "tenant/second", []),
    });
  }

  #secondSession(): ProviderSession {
    const { session, zone } = this.#world.zoneInput;
    if (this.#case.shows !== "mirror") return session;
    const token = session.changeToken?.bind(session);
    return changed(session, {
      records: (_, names, signal) => session.records(zone, names, signal),
      ...(token && { changeToken: (_, signal) => token(zone, signal) }),
    });
  }

  /** Refuses everything while its key is. */
  #guarded(who: "first" | "second", session: ProviderSession): ProviderSession {
    const enter = async (): Promise<void> => {
      this.#calls += 1;
      // Zones that give way to each other for ever take no virtual time.
      if (this.#calls > CALLS_MOST) await new Promise<never>(() => undefined);
      if (!this.#refused.has(who)) return;
      throw new OperationError({ code: "BadKey", message: "the key is refused", retry: "backoff" });
    };
    const token = session.changeToken?.bind(session);
    return changed(session, {
      async records(zone, names, signal) {
        await enter();
        return session.records(zone, names, signal);
      },
      ...(token && {
        async changeToken(zone, signal) {
          await enter();
          return token(zone, signal);
        },
      }),
      async *apply(zone, groups, signal) {
        await enter();
        yield* session.apply(zone, groups, signal);
      },
    });
  }

  /** `a` in the zone, and `b` where the second way writes. */
  #expectRecords(a: 0 | 1, b: 0 | 1): void {
    const { shows, order, refused, says } = this.#case;
    const at = trustedDnsName(`b.${APEX}`);
    const inSecond = this.#secondZone.content.at(at).flatMap(({ values }) => values);
    const found = [
      this.#world.values("a").length,
      [...this.#world.values("b"), ...inSecond].length,
    ];
    const say = (what: string): Violation =>
      new Violation(
        `Z-18: [shows ${shows}, came ${order}, refused ${refused}, said ${says}] ${what}`,
      );
    if (this.#calls > CALLS_MOST) throw say("calls without end");
    if (found.join() !== [a, b].join())
      throw say(`${found.join(" and ")} records and not ${a} and ${b}`);
  }
}

function factsOf(sinceMs: number, provider: string, otherThan: readonly string[]): WayFacts {
  return { sinceMs, isTrusted: true, providers: [provider], sameAs: [], otherThan };
}

function changed(session: ProviderSession, own: Partial<ProviderSession>): ProviderSession {
  const get = (_: ProviderSession, key: keyof ProviderSession): unknown => {
    const value: unknown = own[key] ?? session[key];
    return typeof value === "function" ? value.bind(session) : value;
  };
  return new Proxy(session, { get: get as never });
}
