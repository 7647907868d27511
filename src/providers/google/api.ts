/** The calls of the Cloud DNS API v1 that are used. */
import { textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ProviderEnvironment } from "../provider.ts";
import { JsonApi } from "../shared/json-api.ts";
import { itemsOf, type Listing, listLinked, type Pacing } from "../shared/pages.ts";
import { toRefusal } from "./failures.ts";
import { CALL_TIMEOUT_MS, SETS_PER_PAGE } from "./limits.ts";
import type { GoogleOptions } from "./options.ts";
import { type GoogleGrant, GoogleTokens } from "./tokens.ts";

/** What is listed. */
export interface Listed {
  /** Below the project. */
  readonly path: string;
  /** The field of the answer that has the items. */
  readonly field: string;
  /** `kind` of an answer; one without items is known by it. */
  readonly kind: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** One for each session. Calls may be made concurrently. Paths are below the project. */
export class GoogleApi extends JsonApi<GoogleGrant> {
  /** Throws OperationError. */
  readonly project: () => Promise<string>;

  constructor(options: GoogleOptions, { http }: Pick<ProviderEnvironment, "http">) {
    const client = http({ origin: options.origin });
    const proofs = new GoogleTokens(options, { http });
    const isOwnIdentity = options.credentials.is === "ambient";
    super({
      timeoutMs: CALL_TIMEOUT_MS,
      proofs,
      route: ({ path }, { token, project }) => ({
        client,
        path: `/dns/v1/projects/${encodeURIComponent(project)}${path}`,
        headers: { authorization: `Bearer ${token}` },
      }),
      toRefusal: (answer) => toRefusal(answer, isOwnIdentity),
      close: () => {
        proofs.close();
        client.close();
      },
    });
    this.project = () => proofs.project();
  }

  /** Complete or thrown: RefusedCall, or OperationError where nobody answers. */
  list({ path, field, kind, query }: Listed, { pace, signal }: Pacing): Promise<Listing> {
    return listLinked(async (pageToken: string | null) => {
      const fields = new URLSearchParams({ maxResults: String(SETS_PER_PAGE), ...query });
      if (pageToken !== null) fields.set("pageToken", pageToken);
      const answer = await this.get(`${path}?${fields}`, signal);
      const isEmpty = answer["kind"] === kind && (answer[field] ?? null) === null;
      return {
        items: isEmpty ? [] : itemsOf(answer[field]),
        next: textOf(answer["nextPageToken"]),
      };
    }, pace);
  }
}
