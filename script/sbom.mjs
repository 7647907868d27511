// A bill of materials (CycloneDX 1.6, https://cyclonedx.org/docs/1.6/json) of a bundle: its npm
// packages as the lock file has them, and what is around it. Without times and random ids, so that
// the same content has the same bill.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const NPM = "node_modules/";

/**
 * `folders`: of npm packages (script/licences.mjs). `others`: each `PURL LICENCE`, such as
 * `pkg:deb/debian/libc6@2.41-12?arch=amd64 see /usr/share/doc/libc6/copyright`.
 */
export function billOf(folders, others) {
  const { name, version, license } = JSON.parse(readFileSync("package.json", "utf8"));
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const npm = folders.map((folder) => {
    const path = folder.slice(folder.indexOf(NPM));
    const locked = packages[path];
    const installed = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
    if (locked?.version !== installed)
      throw new Error(`${path} ${installed} is not what package-lock.json has: npm ci`);
    return npmComponent(locked.name ?? path.slice(path.lastIndexOf(NPM) + NPM.length), locked);
  });
  const components = new Map([...npm, ...others.map(component)].map((one) => [one.purl, one]));
  const own = `pkg:npm/${name}@${version}`;
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
    components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function component(text) {
  const [purl, ...licence] = text.split(" ");
  const [, name, version] = /^pkg:.*\/([^/@]+)@([^?]+)/.exec(purl);
  return {
    ...{ type: "library", "bom-ref": purl, name, version: decodeURIComponent(version), purl },
    licenses: [{ license: { name: licence.join(" ") } }],
  };
}

function npmComponent(name, { version, integrity, license }) {
  const purl = `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
  return {
    ...{ type: "library", "bom-ref": purl, name, version, purl },
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
  };
}

/** Subresource Integrity, as npm has it: `sha512-BASE64`. */
function hashOf(integrity) {
  const [algorithm, base64] = integrity.split("-");
  const content = Buffer.from(base64, "base64").toString("hex");
  return { alg: algorithm.replace("sha", "SHA-"), content };
}
