/** Types of the part of `dns-packet` that tests use, as a judge; the package ships none. */
declare module "dns-packet" {
  interface Packet {
    readonly id?: number;
    readonly type?: "query" | "response";
    readonly questions?: readonly { readonly name: string; readonly type: string }[];
    readonly answers?: readonly unknown[];
  }
  export function encode(packet: Packet): Uint8Array;
  export function decode(bytes: Uint8Array): Packet;
}
