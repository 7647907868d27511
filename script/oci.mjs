// Writes a folder of layers as an OCI image layout (OCI image-spec 1.1: image-layout.md, manifest.md,
// config.md). Each layer is a folder whose files become a tar archive with sorted names, without owners
// and times, so that the same content has the same digest. Used by script/build-image.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MIB = 1024 * 1024;
const TAR_BYTES_MAX = 1024 * MIB;
// No time of the build: a layer whose files have not changed is the same in the next version.
const TAR = "--sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime=@0".split(" ");
/** A tenth smaller than zlib's best, and in less time; above it only slower (libdeflate 1.14). */
const LEVEL = process.env.ZONEKEEPER_IMAGE_LEVEL ?? "10";

/**
 * `layers`: paths of folders, the lowest first. `created`: RFC 3339. `config`: Entrypoint, User, Env, …
 * as in config.md. Answers the digest of the image and its compressed size in bytes.
 */
export function writeLayout(folder, { layers, config, architecture, created, annotations, tag }) {
  mkdirSync(join(folder, "blobs/sha256"), { recursive: true });
  const tars = layers.map(tarOf);
  const blobs = tars.map((tar) => blob(folder, gzip(tar)));
  const image = {
    created,
    architecture,
    os: "linux",
    config,
    rootfs: { type: "layers", diff_ids: tars.map(digestOf) },
    history: layers.map(() => ({ created, created_by: "script/build-image" })),
  };
  const configBlob = blob(folder, Buffer.from(JSON.stringify(image)));
  const of = (mediaType, { digest, size }) => ({ mediaType, digest, size });
  const manifest = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: of("application/vnd.oci.image.config.v1+json", configBlob),
    layers: blobs.map((one) => of("application/vnd.oci.image.layer.v1.tar+gzip", one)),
    annotations,
  };
  const manifestBlob = blob(folder, Buffer.from(JSON.stringify(manifest)));
  const index = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.index.v1+json",
    manifests: [
      {
        ...of(manifest.mediaType, manifestBlob),
        platform: { architecture, os: "linux" },
        annotations: { "org.opencontainers.image.ref.name": tag },
      },
    ],
  };
  writeFileSync(join(folder, "index.json"), JSON.stringify(index));
  writeFileSync(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  return { digest: manifestBlob.digest, bytes: blobs.reduce((sum, { size }) => sum + size, 0) };
}

function tarOf(layer) {
  return execFileSync("tar", [...TAR, "-C", layer, "-c", "."], { maxBuffer: TAR_BYTES_MAX });
}

function gzip(input) {
  return execFileSync("libdeflate-gzip", [`-${LEVEL}`, "-c"], { input, maxBuffer: TAR_BYTES_MAX });
}

function blob(folder, bytes) {
  const digest = digestOf(bytes);
  writeFileSync(join(folder, "blobs", digest.replace(":", "/")), bytes);
  return { digest, size: bytes.length };
}

function digestOf(bytes) {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
