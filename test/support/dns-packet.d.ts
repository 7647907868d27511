/** Adds what the judge of the tests uses to the types of `dns-packet` that stand in packages/dns/src/wire. */
declare module "dns-packet" {
  interface Packet {
    readonly questions?: readonly { readonly name: string; readonly type: string }[];
  }
}
