/**
 * Access tokens by google-auth-library: a signed assertion, an exchanged token, or the identity of
 * the program. What a Secret brings is sent over the HTTP port, to Google's token hosts only.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import {
  type AuthClient,
  GoogleAuth,
  gaxios,
  gcpMetadata,
  IdentityPoolClient,
  JWT,
} from "google-auth-library";
import { printable, shortened } from "../../model/printable.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { badCredentials, unsent } from "../shared/failed-calls.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { noToken, refusalText, TokenHttp, unavailable } from "../shared/token-http.ts";
import { ACCOUNT, type GoogleCredentials, type GoogleOptions, TOKEN_HOSTS } from "./options.ts";

const SCOPES = ["https://www.googleapis.com/auth/ndev.clouddns.readwrite"];
/** Whoever impersonates a service account asks for more than DNS. */
const EXTERNAL_SCOPES = ["https://www.googleapis.com/auth/cloud-platform"];
const STATUS_FORBIDDEN = 403;
const CAUSES_MAX = 5;
const MESSAGE_CHARACTERS_MAX = 200;

/** What a call is made with. */
export interface GoogleGrant {
  readonly token: string;
  readonly project: string;
}

/** One for each session. The library keeps a token until shortly before it ends. */
export class GoogleTokens {
  readonly #credentials: GoogleCredentials;
  /** Null = not asked for yet. */
  #project: string | null;
  readonly #http: TokenHttp;
  #client: Promise<Pick<AuthClient, "getAccessToken">> | null = null;

  constructor(
    { credentials, project }: Pick<GoogleOptions, "credentials" | "project">,
    { http }: Pick<ProviderEnvironment, "http">,
  ) {
    this.#credentials = credentials;
    this.#project = project;
    this.#http = new TokenHttp(http, TOKEN_HOSTS);
  }

  /** Throws OperationError; nothing that writes was sent then. */
  async token(): Promise<GoogleGrant> {
    const project = await this.project();
    try {
      this.#client ??= this.#open();
      const { token } = await (await this.#client).getAccessToken();
      if (typeof token !== "string" || token === "") throw new Error("the answer has no token");
      return { token, project };
    } catch (error) {
      this.forget();
      throw explainToken(error, this.#credentials);
    }
  }

  /**
   * As it was given, else that of the node as its metadata server says (docs "Predefined VM
   * metadata keys", `project/project-id`). Throws OperationError; nothing that writes was sent.
   */
  async project(): Promise<string> {
    if (this.#project !== null) return this.#project;
    try {
      if (!(await gcpMetadata.isAvailable())) throw new Error("no metadata server answers");
      this.#project = String(await gcpMetadata.project("project-id"));
      return this.#project;
    } catch (error) {
      const text = shortened(printable(messageOf(error)), MESSAGE_CHARACTERS_MAX);
      throw badCredentials(
        `the project of the zones is not known: ${text}; ${PROJECT_REMEDY}`,
        error,
      );
    }
  }

  /** The API took the token for a wrong one: the next call asks for another. */
  forget(): void {
    this.#client = null;
  }

  close(): void {
    this.#http.close();
  }

  async #open(): Promise<Pick<AuthClient, "getAccessToken">> {
    const credentials = this.#credentials;
    if (credentials.is === "ambient")
      return new GoogleAuth({
        scopes: SCOPES,
        clientOptions: { transporter: new OneTry() },
      }).getClient();
    const transporter = new OneTry({ fetchImplementation: this.#fetch });
    if (credentials.is === "key") {
      const { email, privateKey, keyId } = credentials;
      return new JWT({
        email,
        key: privateKey,
        scopes: SCOPES,
        transporter,
        ...(keyId === null ? {} : { keyId }),
      });
    }
    const { audience, subjectTokenType, subjectToken, tokenUrl, impersonationUrl } = credentials;
    return new GuardedPool({
      type: "external_account",
      audience,
      subject_token_type: subjectTokenType,
      subject_token_supplier: { getSubjectToken: async () => subjectToken },
      token_url: tokenUrl,
      scopes: EXTERNAL_SCOPES,
      transporter,
      ...(impersonationUrl === null ? {} : { service_account_impersonation_url: impersonationUrl }),
    });
  }

  /** The library has one address for assertions; the key file may have an older one. */
  readonly #fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const asked = String(input);
    const credentials = this.#credentials;
    const isAssertion = credentials.is === "key" && asked === ASSERTION_URL;
    const headers = Object.fromEntries(new Headers(init.headers));
    if (init.body instanceof URLSearchParams)
      headers["content-type"] ??= "application/x-www-form-urlencoded;charset=UTF-8";
    const answer = await this.#http.send({
      method: init.method ?? "GET",
      url: isAssertion ? credentials.tokenUrl : asked,
      headers,
      body: init.body === undefined || init.body === null ? null : String(init.body),
    });
    const trouble = troubleOf(answer, /:generateAccessToken$/.test(asked));
    if (trouble !== null) throw trouble;
    return new Response(answer.text, { status: answer.status, headers: { ...answer.headers } });
  };
}

const ASSERTION_URL = "https://oauth2.googleapis.com/token";

/** The library repeats calls by itself; the account's budget decides that here. */
class OneTry extends gaxios.Gaxios {
  override request<T>(options: gaxios.GaxiosOptions = {}): gaxios.GaxiosPromise<T> {
    const { retryConfig: _unused, ...once } = options;
    return super.request<T>({ ...once, retry: false });
  }
}

/** The library exchanges tokens by an HTTP of its own, and repeats that. */
class GuardedPool extends IdentityPoolClient {
  constructor(options: ConstructorParameters<typeof IdentityPoolClient>[0]) {
    super(options);
    Object.assign(this.stsCredential, { transporter: this.transporter });
  }
}

/** What the library would put into words that name no status, or another fault. */
function troubleOf(answer: JsonAnswer, isImpersonation: boolean): OperationError | null {
  const { status, isGood, json } = answer;
  const refusal = refusalText(answer);
  if (!isGood) {
    const remedy = isImpersonation && status === STATUS_FORBIDDEN ? ROLE_REMEDY : REMEDY;
    return refused(`${refusal === "" ? `HTTP status ${status}` : refusal}; ${remedy}`, null);
  }
  const { access_token: token, accessToken = token } = fieldsOf(json);
  if ((textOf(accessToken) ?? "") !== "") return null;
  return unavailable(`the answer of the token host, HTTP status ${status}, holds none`);
}

/** Answers of token hosts are known by now, but for those that the library asks by itself. */
function explainToken(error: unknown, { is }: GoogleCredentials): OperationError {
  const known = operationErrorIn(error);
  if (known !== null) return known;
  const text = shortened(printable(messageOf(error)), MESSAGE_CHARACTERS_MAX);
  if (is === "ambient") return refused(`${text}; ${OWN_REMEDY}`, error);
  const trouble = is === "key" ? `the private_key of ${ACCOUNT} cannot be used` : text;
  return refused(`${trouble}; ${REMEDY}`, error);
}

const REMEDY =
  "correct the Secret of the DNSProvider: write the key file as it was downloaded, or a token that is valid";
const OWN_REMEDY =
  "give this program's Pod a service account of Google's, or write a key file into the Secret";
const PROJECT_REMEDY =
  "name it (GOOGLE_PROJECT of the Secret, or --google-project), or run on a node of Google's";
const ROLE_REMEDY =
  "grant whoever the token of the Secret stands for roles/iam.workloadIdentityUser (or roles/iam.serviceAccountTokenCreator) on the service account of service_account_impersonation_url";

function refused(reason: string, cause: unknown): OperationError {
  return badCredentials(noToken(reason), cause);
}

/** What the port threw, inside of what the library made of it. */
function operationErrorIn(error: unknown): OperationError | null {
  let inner = error;
  for (let depth = 0; depth < CAUSES_MAX && inner instanceof Error; depth++) {
    if (inner instanceof OperationError) return unsent(inner);
    inner = inner.cause;
  }
  return null;
}
