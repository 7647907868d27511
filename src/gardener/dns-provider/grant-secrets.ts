/** The commands that let this program read the Secrets of one namespace. Pure. */

/**
 * The verbs that this program needs; `patch` adds the finalizer that keeps a Secret while it is
 * needed.
 */
export const SECRET_VERBS: readonly string[] = ["get", "list", "watch", "patch"];
const ROLE = "zonekeeper-secrets";
const ACCOUNT = /^system:serviceaccount:([^:]+):(.+)$/;
/** The user in a refusal of a kube-apiserver. */
const REFUSED = /User "([^"]+)" cannot/;

/** The user that a refusal names; null = no refusal, or it names none. */
export function userIn(refusal: string | null): string | null {
  return REFUSED.exec(refusal ?? "")?.[1] ?? null;
}

/** `user`: as the API server knows this program; null = that is not known. */
export function grantSecrets(namespace: string, user: string | null): string {
  const account = ACCOUNT.exec(user ?? "");
  const subject =
    user === null
      ? "--serviceaccount=NAMESPACE:NAME"
      : account === null
        ? `--user='${user}'`
        : `--serviceaccount=${account[1]}:${account[2]}`;
  const whose = user === null ? "" : `-${slugOf(user.replace(ACCOUNT, "$1-$2"))}`;
  const role = `kubectl create role ${ROLE} -n ${namespace} --resource=secrets --verb=${SECRET_VERBS.join()} --dry-run=client -o yaml | kubectl apply -f -`;
  return `${role}; kubectl create rolebinding ${ROLE}${whose} -n ${namespace} --role=${ROLE} ${subject}`;
}

/** As a name of an object. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
