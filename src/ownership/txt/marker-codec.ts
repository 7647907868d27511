/**
 * Marker texts, plain or encrypted (external-dns `endpoint/crypto.go`, `endpoint/labels.go`
 * @v0.22): AES-256-GCM over the gzipped plain text, written as standard base64 of nonce, ciphertext
 * and tag. Never shows a key or a nonce.
 */
import { base64Text, fromBase64 } from "@zonekeeper/base/bytes";
import type { Cipher } from "@zonekeeper/base/ports/crypto";
import type { Random } from "@zonekeeper/base/ports/random";
import type { Gzip } from "../../ports/gzip.ts";
import {
  formatMarker,
  type MarkerLabels,
  markerText,
  parseMarkerText,
  textInRdata,
} from "./marker-value.ts";

/** How a marker's text is written in the zone. */
export type MarkerForm = "plain" | "encrypted";

/** The labels of a marker, and how its text is written in the zone. */
export interface MarkerText {
  readonly labels: MarkerLabels;
  readonly form: MarkerForm;
}

/** What encrypted markers are read with, and written where `write` says so. */
export interface MarkerEncryption {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** Whether new texts are encrypted; else the key only reads, as external-dns has it. */
  readonly write: boolean;
  readonly cipher: Cipher;
  readonly gzip: Gzip;
  readonly random: Random;
}

/** Bytes of a GCM nonce, NIST SP 800-38D §5.2.1.1. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Least bytes of a gzip stream around a marker text; the shortest real one has more. */
const PACKED_BYTES_MIN = 40;
/** Bytes of unpacked text at most; a longer one is no marker. */
const TEXT_BYTES_MAX = 4_096;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Reads and writes marker texts of one zone. */
export class MarkerCodec {
  readonly #encryption: MarkerEncryption | null;

  constructor(encryption: MarkerEncryption | null) {
    this.#encryption = encryption;
  }

  /** How new texts are written. */
  get writes(): MarkerForm {
    return this.#encryption?.write === true ? "encrypted" : "plain";
  }

  /** True when there is a key, so that an encrypted text may turn out to be a marker. */
  get canOpen(): boolean {
    return this.#encryption !== null;
  }

  /** A codec that writes encrypted texts; where there is no key, one that writes plain ones. */
  encrypting(): MarkerCodec {
    return new MarkerCodec(this.#encryption === null ? null : { ...this.#encryption, write: true });
  }

  /**
   * What a TXT rdata says. `unreadable`: it has the shape of an encrypted marker and no key of ours
   * opens it, so it may be anybody's. Null: it is no marker.
   */
  read(rdata: string): MarkerText | "unreadable" | null {
    const text = textInRdata(rdata);
    const plain = parseMarkerText(text);
    if (plain !== null) return { labels: plain, form: "plain" };
    const base64 = text.replace(/^"+|"+$/g, "");
    const bytesMin = NONCE_BYTES + PACKED_BYTES_MIN + TAG_BYTES;
    if (base64.length * 3 < bytesMin * 4 || !BASE64.test(base64)) return null;
    const labels = this.#opened(fromBase64(base64));
    return labels === null ? "unreadable" : { labels, form: "encrypted" };
  }

  /**
   * Canonical rdata for these labels; null when the format cannot carry them. An encrypted text has
   * a new nonce each time: a marker whose labels do not change keeps its text.
   */
  write(labels: MarkerLabels, form: MarkerForm = this.writes): string | null {
    if (form === "plain") return formatMarker(labels);
    const text = markerText(labels);
    if (text === null || this.#encryption === null) return null;
    const { key, cipher, gzip, random } = this.#encryption;
    const nonce = random.bytes(NONCE_BYTES);
    const sealed = cipher.seal(key, nonce, gzip.pack(new TextEncoder().encode(text)));
    return `"${base64Text(Uint8Array.of(...nonce, ...sealed))}"`;
  }

  #opened(sealed: Uint8Array): MarkerLabels | null {
    if (this.#encryption === null) return null;
    const { key, cipher, gzip } = this.#encryption;
    const [nonce, rest] = [sealed.subarray(0, NONCE_BYTES), sealed.subarray(NONCE_BYTES)];
    const packed = cipher.unseal(key, nonce, rest);
    const text = packed === null ? null : gzip.unpack(packed, TEXT_BYTES_MAX);
    return text === null ? null : parseMarkerText(new TextDecoder().decode(text));
  }
}
