/**
 * The key that signs requests: that of the Secret, or the program's own by @alicloud/credentials
 * (environment, RRSA, profile, role of the ECS instance), which is loaded then.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import { printable, shortened } from "../../model/printable.ts";
import { badCredentials } from "../shared/failed-calls.ts";
import type { TokenSource } from "../shared/renewed-token.ts";
import type { AliDnsOptions } from "./options.ts";
import type { DefaultCredentialsProvider } from "./own-keys.ts";
import type { AccessKey } from "./sign-request.ts";

const MESSAGE_CHARACTERS_MAX = 300;

/** One for each session. */
export class AliDnsKeys implements TokenSource<AccessKey> {
  readonly #key: AccessKey | null;
  /** It asks anew by itself before a key ends. */
  #chain: Promise<DefaultCredentialsProvider> | null = null;

  constructor({ key }: Pick<AliDnsOptions, "key">) {
    this.#key = key;
  }

  async token(): Promise<AccessKey> {
    if (this.#key !== null) return this.#key;
    try {
      this.#chain ??= import("./own-keys.ts").then(({ DefaultCredentialsProvider }) =>
        DefaultCredentialsProvider.builder().build(),
      );
      const given = await (await this.#chain).getCredentials();
      const { accessKeyId: id, accessKeySecret: secret, securityToken } = given;
      return { id, secret, securityToken: securityToken || null };
    } catch (error) {
      this.forget();
      const message = `this program has no identity of Alibaba Cloud: ${reasonOf(error)}`;
      throw badCredentials(
        `${message}; give its Pod a RAM role (RRSA), or write an AccessKey into the Secret`,
        error,
      );
    }
  }

  forget(): void {
    this.#chain = null;
  }
}

/** The library repeats answers whole, with what may be a key in them; their code says enough. */
function reasonOf(error: unknown): string {
  const text = messageOf(error);
  const code = /"Code"\s*:\s*"([\w.]+)"/.exec(text)?.[1];
  const known = text.replace(/,?\s*(result|message =|failed)?:?\s*[{<].*$/s, "");
  const shown = shortened(printable(known), MESSAGE_CHARACTERS_MAX);
  return code === undefined ? shown : `${shown} (${code})`;
}
