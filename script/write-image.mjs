// write-image.mjs FOLDER ARCHITECTURE LAYER…: what script/build-image has gathered, as an image. Prints
// folder, digest and compressed size.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeLayout } from "./oci.mjs";

const [folder, architecture, ...layers] = process.argv.slice(2);
const { version, description, license } = JSON.parse(readFileSync("package.json", "utf8"));
const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
const isDirty = git("status", "--porcelain", "--untracked-files=no") !== "";
const created = new Date(Number(git("log", "-1", "--format=%ct")) * 1000).toISOString();
const label = (name, value) => [`org.opencontainers.image.${name}`, value];
const labels = Object.fromEntries([
  label("title", "zonekeeper"),
  label("description", description),
  label("version", version),
  label("revision", `${git("rev-parse", "HEAD")}${isDirty ? "-dirty" : ""}`),
  label("created", created),
  label("licenses", license),
]);
const { digest, bytes } = writeLayout(folder, {
  layers,
  architecture,
  created,
  tag: version,
  annotations: labels,
  config: {
    User: "65532:65532",
    Env: [
      "PATH=/usr/local/bin",
      "NODE_ENV=production",
      "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt",
    ],
    Entrypoint: ["/usr/local/bin/node", "/app/zonekeeper.js"],
    Cmd: ["run"],
    WorkingDir: "/",
    StopSignal: "SIGTERM",
    Labels: labels,
  },
});
process.stdout.write(`${folder} ${digest} ${(bytes / 1e6).toFixed(1)} MB compressed\n`);
