/**
 * Real Keystone and Designate of Debian, one process each, from the empty databases that
 * script/build-openstack makes. There is one project with a user, an application credential and one
 * zone.
 */
import { cpSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { claimPort, type FreePort } from "../../ports/free-port.ts";
import { makeTempFolder, type TempFolder } from "../../ports/temp-folder.ts";
import { Child, waitUntilReady } from "../../programs/child.ts";
import { designateConf, keystoneConf, type OpenStackSite, PASSWORDS, poolsYaml } from "./config.ts";

const PYTHON = "/usr/bin/python3";
const PROGRAM = resolve("test/support/real-servers/openstack/designate-in-one.py");

/** The folder that script/build-openstack made; it need not exist. */
export function openStackPath(): string {
  return resolve("node_modules/.cache/zonekeeper/openstack/current");
}

/** A body as the services answer it. */
export type Json = { readonly [name: string]: Json } & {
  readonly id: string;
  readonly token: Json;
};

/** Running, with one zone. */
export interface OpenStack {
  /** What the Secret of a DNSProvider holds: a user, and an application credential in its place. */
  readonly userSecret: Readonly<Record<string, string>>;
  readonly credentialSecret: Readonly<Record<string, string>>;
  /** Where Designate's own name server answers. */
  readonly dnsPort: number;
  /** As the project's user; paths are below `/v2`. Throws for statuses from 400. */
  call(method: string, path: string, body?: unknown): Promise<Json>;
  readonly zoneId: string;
  stop(): Promise<void>;
}

/** `zone` without trailing dot. */
export async function startOpenStack(zone: string): Promise<OpenStack> {
  const ports = [await claimPort(), await claimPort(), await claimPort()];
  const servers = new Servers(makeTempFolder("openstack"), ports);
  try {
    return await servers.start(zone);
  } catch (error) {
    await servers.stop();
    throw error;
  }
}

class Servers {
  readonly #folder: TempFolder;
  readonly #ports: readonly FreePort[];
  readonly #site: OpenStackSite;
  #children: readonly Child[] = [];

  constructor(folder: TempFolder, ports: readonly FreePort[]) {
    this.#folder = folder;
    this.#ports = ports;
    const [keystonePort = 0, apiPort = 0, dnsPort = 0] = ports.map(({ port }) => port);
    this.#site = { folder: folder.path, keystonePort, apiPort, dnsPort };
  }

  async start(zone: string): Promise<OpenStack> {
    cpSync(`${openStackPath()}/`, this.#site.folder, { recursive: true, dereference: true });
    const { keystonePort, apiPort, dnsPort } = this.#site;
    await this.#startKeystone();
    const credential = await this.#setUp();
    await this.#startDesignate();
    const address = `http://127.0.0.1:${apiPort}/v2`;
    const token = await this.#tokenOf("u1", PASSWORDS.tenant, "proj1");
    const call = (method: string, path: string, body?: unknown): Promise<Json> =>
      ask(method, `${address}${path}`, { body, token }).then(({ json }) => json);
    const { id } = await call("POST", "/zones", { name: `${zone}.`, email: "h@example.test" });
    const at = { OS_AUTH_URL: `http://127.0.0.1:${keystonePort}/v3` };
    return {
      userSecret: {
        ...at,
        OS_USERNAME: "u1",
        OS_PASSWORD: PASSWORDS.tenant,
        OS_DOMAIN_NAME: "Default",
        OS_PROJECT_NAME: "proj1",
        OS_REGION_NAME: "RegionOne",
      },
      credentialSecret: {
        ...at,
        OS_APPLICATION_CREDENTIAL_ID: credential,
        OS_APPLICATION_CREDENTIAL_SECRET: "app secret",
      },
      dnsPort,
      call,
      zoneId: id,
      stop: () => this.stop(),
    };
  }

  /** Designate would wait for its workers first. */
  async stop(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.kill9()));
    for (const port of this.#ports) port.release();
    this.#folder.remove();
  }

  async #startKeystone(): Promise<void> {
    const { folder, keystonePort } = this.#site;
    const conf = this.#write("keystone.conf", keystoneConf(this.#site));
    const args = ["--host", "127.0.0.1", "--port", String(keystonePort)];
    const env = { OS_KEYSTONE_CONFIG_FILES: conf, OS_KEYSTONE_CONFIG_DIR: folder };
    await this.#startChild("keystone", ["/usr/bin/keystone-wsgi-public", ...args], {
      env,
      url: `http://127.0.0.1:${keystonePort}/v3`,
    });
  }

  async #startDesignate(): Promise<void> {
    const conf = this.#write("designate.conf", designateConf(this.#site));
    const pools = this.#write("pools.yaml", poolsYaml(this.#site));
    const url = `http://127.0.0.1:${this.#site.apiPort}/`;
    await this.#startChild("designate", [PROGRAM, conf, pools], { env: {}, url });
  }

  async #startChild(
    name: string,
    args: readonly string[],
    { env, url }: { readonly env: Readonly<Record<string, string>>; readonly url: string },
  ): Promise<void> {
    const logFile = join(this.#site.folder, `${name}.log`);
    const child = await Child.start({ command: PYTHON, args, env, logFile });
    this.#children = [...this.#children, child];
    const isReady = (): Promise<boolean> =>
      fetch(url).then(
        () => true,
        () => false,
      );
    await waitUntilReady(child, isReady);
  }

  /** The service, its user, and a project with a user; answers the id of a credential. */
  async #setUp(): Promise<string> {
    const token = await this.#tokenOf("admin", PASSWORDS.admin, "admin");
    const make = async (path: string, key: string, body: object, by = token): Promise<Json> => {
      const { json } = await ask("POST", this.#keystone(`/${path}`), {
        body: { [key]: body },
        token: by,
      });
      return json[key] ?? json;
    };
    const offer = async (type: string, kinds: readonly string[], url: string): Promise<void> => {
      const { id: service_id } = await make("services", "service", { type });
      const at = { region_id: "RegionOne", service_id, url };
      for (const kind of kinds) await make("endpoints", "endpoint", { interface: kind, ...at });
    };
    await offer("dns", ["public"], `http://127.0.0.1:${this.#site.apiPort}`);
    // Designate asks it whether tokens count.
    await offer("identity", ["internal"], this.#keystone(""));
    const { json: listed } = await ask("GET", this.#keystone("/roles"), { token });
    const roles = listed["roles"] as unknown as readonly { readonly id: string; name: string }[];
    const addUser = async (
      project: string,
      user: { readonly name: string; readonly password: string; readonly role: string },
    ): Promise<string> => {
      const domain_id = "default";
      const { id: projectId } = await make("projects", "project", { name: project, domain_id });
      const { name, password, role } = user;
      const { id } = await make("users", "user", { name, password, domain_id });
      const roleId = roles.find((one) => one.name === role)?.id ?? "";
      const path = `/projects/${projectId}/users/${id}/roles/${roleId}`;
      await ask("PUT", this.#keystone(path), { token });
      return id;
    };
    const service = { name: "designate", password: PASSWORDS.designate, role: "admin" };
    await addUser("service", service);
    const id = await addUser("proj1", { name: "u1", password: PASSWORDS.tenant, role: "member" });
    const own = await this.#tokenOf("u1", PASSWORDS.tenant, "proj1");
    const credential = { name: "dns", secret: "app secret" };
    const path = `users/${id}/application_credentials`;
    return (await make(path, "application_credential", credential, own)).id;
  }

  async #tokenOf(name: string, password: string, project: string): Promise<string> {
    const domain = { id: "default" };
    const identity = { methods: ["password"], password: { user: { name, domain, password } } };
    const auth = { identity, scope: { project: { name: project, domain } } };
    const { headers } = await ask("POST", this.#keystone("/auth/tokens"), { body: { auth } });
    return headers.get("x-subject-token") ?? "";
  }

  #keystone(path: string): string {
    return `http://127.0.0.1:${this.#site.keystonePort}/v3${path}`;
  }

  #write(name: string, text: string): string {
    const path = join(this.#site.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }
}

async function ask(
  method: string,
  url: string,
  { body, token = "" }: { readonly body?: unknown; readonly token?: string },
): Promise<{ readonly headers: Headers; readonly json: Json }> {
  const answer = await fetch(url, {
    method,
    headers: { "content-type": "application/json", "x-auth-token": token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  return { headers: answer.headers, json: JSON.parse(text === "" ? "{}" : text) as Json };
}
