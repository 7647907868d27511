/** The id is the UID of kube-system, or there is none. */
import { expect, test } from "vitest";
import { NAMESPACE } from "../../objects/kinds.ts";
import { readClusterId } from "./cluster-id.ts";

const kubeSystem = (uid?: string) => ({
  apiVersion: "v1",
  kind: NAMESPACE.kind,
  metadata: { name: "kube-system", ...(uid === undefined ? {} : { uid }) },
});

test("it is the UID of kube-system", async () => {
  const read = async () => kubeSystem("6f4e");
  expect(await readClusterId({ read })).toBe("6f4e");
});

test.each([
  ["no such namespace", null],
  ["no UID", kubeSystem()],
])("%s: an error with the remedy", async (_name, found) => {
  const read = async () => found;
  await expect(readClusterId({ read })).rejects.toMatchObject({ code: "NoClusterId" });
});
