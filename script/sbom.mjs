// sbom.mjs [DEB…]: a CycloneDX 1.6 bill of materials on standard output: the packages of the lock file
// that a production install has, and packages of Debian, each `name version architecture`. Without
// times and random ids, so that one lock file has one bill.
import { readFileSync } from "node:fs";

const { name, version, license } = JSON.parse(readFileSync("package.json", "utf8"));
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const NPM = "node_modules/";

const npm = Object.entries(packages)
  .filter(([path, one]) => path !== "" && !one.dev && !one.devOptional)
  .map(([path, one]) =>
    npmComponent(one.name ?? path.slice(path.lastIndexOf(NPM) + NPM.length), one),
  );
const debian = process.argv.slice(2).map((text) => {
  const [of, at, architecture] = text.split(" ");
  const purl = `pkg:deb/debian/${of}@${encodeURIComponent(at)}?arch=${architecture}`;
  return { type: "library", "bom-ref": purl, name: of, version: at, purl };
});
const own = `pkg:npm/${name}@${version}`;
const components = [...new Map([...npm, ...debian].map((one) => [one.purl, one])).values()];
const bill = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: {
    component: {
      ...{ type: "application", "bom-ref": own, name, version, purl: own },
      licenses: [{ license: { id: license } }],
    },
  },
  components: components.sort((a, b) => (a.purl < b.purl ? -1 : 1)),
};
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);

function npmComponent(of, { version: at, integrity, license: terms }) {
  const purl = `pkg:npm/${of.replace(/^@/, "%40")}@${at}`;
  return {
    ...{ type: "library", "bom-ref": purl, name: of, version: at, purl },
    ...(terms === undefined ? {} : { licenses: [{ expression: terms }] }),
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
  };
}

/** Subresource Integrity, as npm has it: `sha512-BASE64`. */
function hashOf(integrity) {
  const [algorithm, base64] = integrity.split("-");
  const alg = algorithm.replace("sha", "SHA-");
  return { alg, content: Buffer.from(base64, "base64").toString("hex") };
}
