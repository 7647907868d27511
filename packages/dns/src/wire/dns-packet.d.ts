/**
 * Types of the part of `dns-packet` that the differential tests use; the package ships none. Tests
 * only.
 */
declare module "dns-packet" {
  interface Packet {
    readonly id?: number;
    readonly type?: "query" | "response";
    readonly answers?: readonly unknown[];
  }
  export function encode(packet: Packet): Uint8Array;
  export function decode(bytes: Uint8Array): Packet;
}
