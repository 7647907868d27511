/**
 * Access tokens by @azure/identity: an application's secret or foreign token, or the
 * identity of the program. What proves an application, also that of the Pod, is sent over the HTTP
 * port, to Azure's token hosts only; the metadata server of a node is asked by the library.
 */
import { createHttpHeaders } from "@azure/core-rest-pipeline";
import {
  ClientAssertionCredential,
  ClientSecretCredential,
  type ClientSecretCredentialOptions,
  CredentialUnavailableError,
  ManagedIdentityCredential,
  type TokenCredential,
  WorkloadIdentityCredential,
  type WorkloadIdentityCredentialOptions,
} from "@azure/identity";
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { isLoopback } from "../../model/addresses.ts";
import { printable, shortened } from "../../model/printable.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { badCredentials, unsent } from "../shared/failed-calls.ts";
import { noToken, TokenHttp, unavailable } from "../shared/token-http.ts";
import { type AzureCredentials, type AzureOptions, TOKEN_HOSTS } from "./options.ts";

const MESSAGE_CHARACTERS_MAX = 300;
/** A metadata server that is not there swallows packets. */
const TOKEN_TIMEOUT_MS = 30_000;
/** The vendor's answer to a proof that does not count, and the library's to one that cannot. */
const KEY_TROUBLE =
  /AADSTS(7\d{4,5}|90002|50\d{3}|900023|53003)\b|invalid_client|unauthorized_client/i;

type Client = NonNullable<ClientSecretCredentialOptions["httpClient"]>;
type Request = Parameters<Client["sendRequest"]>[0];
type Response = Awaited<ReturnType<Client["sendRequest"]>>;

/** One for each session. The library keeps a token until shortly before it ends. */
export class AzureTokens {
  readonly #options: AzureOptions;
  readonly #http: TokenHttp;
  #credential: TokenCredential | null = null;

  constructor(options: AzureOptions, { http }: Pick<ProviderEnvironment, "http">) {
    this.#options = options;
    this.#http = new TokenHttp(http, TOKEN_HOSTS);
  }

  /** Throws OperationError; nothing that writes was sent then. */
  async token(): Promise<string> {
    try {
      this.#credential ??= this.#open();
      const asked = this.#credential.getToken(`${this.#options.audience}/.default`);
      const answer = await inTime(asked);
      if (answer === null || answer.token === "") throw new Error("the answer has no token");
      return answer.token;
    } catch (error) {
      this.forget();
      const trouble = this.#troubles.splice(0)[0] ?? null;
      throw explainToken(error, trouble, this.#options.credentials);
    }
  }

  /** The API took the token for a wrong one: the next call asks for another. */
  forget(): void {
    this.#credential = null;
  }

  close(): void {
    this.#http.close();
  }

  /** What the port threw, which the library puts into words only; at most one for each call. */
  readonly #troubles: OperationError[] = [];

  #open(): TokenCredential {
    const { credentials, authority } = this.#options;
    const common = {
      authorityHost: authority.replace(/^http:/, "https:"),
      // The hosts are on a list already.
      disableInstanceDiscovery: true,
      httpClient: { sendRequest: (request: Request) => this.#send(request) },
      retryOptions: { maxRetries: 0 },
    };
    if (credentials.is === "ambient") return ambientCredential(credentials.client, common);
    const { is, tenant, client, proof } = credentials;
    return is === "secret"
      ? new ClientSecretCredential(tenant, client, proof, common)
      : new ClientAssertionCredential(tenant, client, async () => proof, common);
  }

  /** The library knows https only; this host is asked by http. */
  async #send(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (isLoopback(url.hostname)) url.protocol = "http:";
    try {
      const answer = await this.#http.send({
        method: request.method,
        url: url.toString(),
        headers: request.headers.toJSON(),
        body: typeof request.body === "string" ? request.body : null,
      });
      return {
        request,
        status: answer.status,
        headers: createHttpHeaders(answer.headers),
        bodyAsText: answer.text,
      };
    } catch (error) {
      this.#troubles.length = 0;
      if (error instanceof OperationError) this.#troubles.push(error);
      throw error;
    }
  }
}

/** Workload identity where the cluster gives one, else the managed identity of the node. */
function ambientCredential(
  client: string | null,
  common: WorkloadIdentityCredentialOptions,
): TokenCredential {
  const of = client === null ? {} : { clientId: client };
  try {
    return new WorkloadIdentityCredential({ ...common, ...of });
  } catch (error) {
    // The Pod has none, or half of one.
    if (!(error instanceof CredentialUnavailableError)) throw error;
    return new ManagedIdentityCredential({ ...of, retryOptions: { maxRetries: 0 } });
  }
}

/** The library cannot be told to stop; it ends by itself some time. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(TOKEN_TIMEOUT_MS);
  const late = new Promise<never>((_resolve, reject) => {
    signal.onabort = () => reject(new Error("nobody answers in time"));
  });
  return Promise.race([answer, late]);
}

function explainToken(
  error: unknown,
  trouble: OperationError | null,
  { is }: AzureCredentials,
): OperationError {
  if (trouble !== null) return unsent(trouble, withoutIds(trouble.message));
  const text = shortened(printable(withoutIds(messageOf(error))), MESSAGE_CHARACTERS_MAX);
  const isOwn = is === "ambient";
  const isKeyTrouble = isOwn || KEY_TROUBLE.test(text);
  const remedy = isOwn
    ? "give this program's Pod a workload identity or its node a managed identity, or write an application into the Secret"
    : "correct the Secret of the DNSProvider";
  return isKeyTrouble
    ? badCredentials(noToken(`${text}; ${remedy}`), error)
    : unavailable(text, error);
}

/** Requests have ids and times; a status that shows them would change with each try. */
function withoutIds(text: string): string {
  return text
    .replace(/( -)?\s*(Trace|Correlation|Request) ID: (Not Available|\S+)/gi, "")
    .replace(/( -)?\s*Timestamp: (Not Available|[\d-]+ [\d:]+Z?)/gi, "")
    .replace(/\s+/g, " ")
    .trim();
}
