/**
 * The page of a running instance in Debian's chromium: a BIND that sends NOTIFY, a cluster, `run`,
 * and a browser with a profile of its own, entered by the link that `zonekeeper open` prints. Tests
 * and the pictures of the guide begin from the same zone.
 */
import type { Server } from "node:http";
import { type Browser, chromium, type Page } from "playwright-core";
import { PATIENCE_MS } from "../ports/eventually.ts";
import { claimPort, type FreePort } from "../ports/free-port.ts";
import { startBind } from "../real-servers/bind.ts";
import { account, entry, together } from "../values/cluster-objects.ts";
import { RealZone } from "../values/real-zone.ts";
import { PROGRAM } from "./dev-instance.ts";
import { openPrefixProxy, PREFIX } from "./prefix-proxy.ts";
import { runOk } from "./run.ts";
import type { RunInstance } from "./run-instance.ts";
import { RunSession } from "./run-session.ts";

/** Names whose objects a story may delete at once: more than the fuse lets pass. */
export const OLD = Array.from({ length: 12 }, (_, index) => `old-${index + 1}`);

/** Somebody else's: markup, and a character that turns what follows around. */
export const HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.exe";

/** See above. All ends with `close`. */
export class PageSession {
  readonly zone: RealZone;
  readonly session: RunSession;
  readonly instance: RunInstance;
  readonly #browser: Browser;
  readonly #ports: readonly FreePort[];
  readonly #proxy: Server;
  /** The page behind the API server's proxy. */
  readonly proxied: string;

  private constructor(
    world: Pick<PageSession, "zone" | "session" | "instance">,
    browser: Browser,
    { ports, proxy }: { readonly ports: readonly FreePort[]; readonly proxy: Server },
  ) {
    this.zone = world.zone;
    this.session = world.session;
    this.instance = world.instance;
    this.#browser = browser;
    this.#ports = ports;
    this.#proxy = proxy;
    this.proxied = `http://127.0.0.1:${ports[1]?.port}${PREFIX}/page/`;
  }

  /** Ready when all of its entries are published. */
  static async open(): Promise<PageSession> {
    const [port, proxyPort] = [await claimPort(), await claimPort()];
    const zone = new RealZone(await startBind({ zone: "example.net", notifyPort: port.port }));
    const session = await RunSession.open();
    const { user } = session;
    await user.apply(account("net", zone.server));
    const instance = await session.run(
      ...["me", "--notify-address", `127.0.0.1:${port.port}`],
      ...["--resolvers", `127.0.0.1:${zone.server.port}`],
      ...["--api-users", "--page-origin", `http://127.0.0.1:${proxyPort.port}`],
    );
    await zone.foreignWriter(
      `add ${zone.name("mail")}. 300 A 192.0.2.25`,
      `add ${zone.name("hostile")}. 300 TXT "${HOSTILE}"`,
    );
    await user.apply(
      together(
        entry("www", zone.name("www"), { targets: ["192.0.2.1"] }),
        entry("both", zone.name("both"), { targets: ["192.0.2.3", "2001:db8::3"] }),
        entry("shop", zone.name("shop"), { targets: [zone.name("www")] }),
        entry("mail", zone.name("mail"), { targets: ["192.0.2.26"] }),
        ...OLD.map((name) => entry(name, zone.name(name), { targets: ["192.0.2.9"] })),
      ),
    );
    for (const name of ["www", "shop", "both", ...OLD]) await user.becomes("dnse", name, "Ready");
    // As root, chromium has no sandbox.
    const browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: ["--no-sandbox"],
    });
    const proxy = await openPrefixProxy(proxyPort.port, instance.http);
    const ports = [port, proxyPort];
    return new PageSession({ zone, session, instance }, browser, { ports, proxy });
  }

  /** An empty window; small ones are phones. */
  async window(view: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
    const page = await this.#browser.newPage(view);
    page.setDefaultTimeout(PATIENCE_MS);
    return page;
  }

  /** A window that has entered the page. */
  async enter(view: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
    const page = await this.window(view);
    const { http, data } = this.instance;
    const printed = await runOk(process.execPath, [
      ...[PROGRAM, "open", "--print", "--server", http, "--data", data],
    ]);
    const [link = ""] = printed.split("\n", 1);
    // The first origin is that of the proxy.
    await page.goto(`${http}${link.slice(new URL(link).origin.length)}`);
    await page.getByText("live", { exact: true }).waitFor();
    return page;
  }

  /** A window that nobody has let in, behind the API server's proxy. */
  async signedOut(): Promise<Page> {
    const page = await this.window();
    await page.goto(this.proxied);
    return page;
  }

  /** The fuse holds their removals. */
  async deleteOld(): Promise<void> {
    await this.session.user.kubectl.ok(["delete", "dnse", ...OLD, "--wait=false"]);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.session.close();
    await this.zone.server.stop();
    this.#proxy.close();
    this.#proxy.closeAllConnections();
    for (const port of this.#ports) port.release();
  }
}
