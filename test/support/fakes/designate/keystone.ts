/**
 * Tokens of a stateful fake of Keystone v3 (`POST /v3/auth/tokens`). Forms, statuses and texts are
 * those that Keystone 22.0.2 answered when it was tried.
 */
import type { FakeAnswer } from "../fake-api.ts";

/** What counts; all are invented. */
export const KEYSTONE_USER = {
  OS_USERNAME: "u1",
  OS_PASSWORD: "a pass word of the fake",
  OS_DOMAIN_NAME: "Default",
  OS_PROJECT_NAME: "proj1",
} as const;
/** In place of a user. */
export const KEYSTONE_CREDENTIAL = {
  OS_APPLICATION_CREDENTIAL_ID: "0123456789abcdef0123456789abcdef",
  OS_APPLICATION_CREDENTIAL_SECRET: "an application's secret",
} as const;

/** An entry of the catalog; the address of Designate is the fake's own. */
export interface FakeEndpoint {
  readonly interface: string;
  readonly region: string;
  /** Absent = the fake. */
  readonly url?: string;
}

type Tree = { readonly [name: string]: Tree | undefined } & { readonly id?: unknown };

/** Tokens that were given, and the catalog. */
export class FakeKeystone {
  endpoints: readonly FakeEndpoint[] = [{ interface: "public", region: "RegionOne" }];
  /** Of the user. */
  password: string = KEYSTONE_USER.OS_PASSWORD;
  readonly #given = new Set<string>();
  #count = 0;

  /** No token that was given counts any more. */
  revokeTokens(): void {
    this.#given.clear();
  }

  isGiven(token: string | undefined): boolean {
    return token !== undefined && this.#given.has(token);
  }

  answer(body: string, origin: string): FakeAnswer {
    const { auth } = JSON.parse(body) as { readonly auth: Tree };
    if (!isUser(auth, this.password) && !isCredential(auth))
      return {
        status: 401,
        body: {
          error: {
            code: 401,
            message: "The request you have made requires authentication.",
            title: "Unauthorized",
          },
        },
      };
    this.#count += 1;
    const token = `gAAAAABm-token-${this.#count}`;
    this.#given.add(token);
    const endpoints = this.endpoints.map(({ region, url = `${origin}/dns`, ...one }, index) => ({
      id: `e${index}`,
      ...one,
      region,
      region_id: region,
      url,
    }));
    const catalog = [
      { type: "identity", name: "keystone", endpoints: [] },
      { type: "dns", name: "designate", endpoints },
    ];
    return {
      status: 201,
      headers: { "x-subject-token": token },
      body: {
        token: { methods: ["password"], expires_at: "2036-01-01T00:00:00.000000Z", catalog },
      },
    };
  }
}

function isUser(auth: Tree, password: string): boolean {
  const user = auth["identity"]?.["password"]?.["user"] as Record<string, unknown> | undefined;
  const project = auth["scope"]?.["project"] as Record<string, unknown> | undefined;
  const domain = JSON.stringify({ name: KEYSTONE_USER.OS_DOMAIN_NAME });
  return (
    user?.["name"] === KEYSTONE_USER.OS_USERNAME &&
    user["password"] === password &&
    JSON.stringify(user["domain"]) === domain &&
    project?.["name"] === KEYSTONE_USER.OS_PROJECT_NAME &&
    JSON.stringify(project["domain"]) === domain
  );
}

function isCredential(auth: Tree): boolean {
  const given = auth["identity"]?.["application_credential"] as Record<string, unknown> | undefined;
  return (
    given?.["id"] === KEYSTONE_CREDENTIAL.OS_APPLICATION_CREDENTIAL_ID &&
    given["secret"] === KEYSTONE_CREDENTIAL.OS_APPLICATION_CREDENTIAL_SECRET
  );
}
