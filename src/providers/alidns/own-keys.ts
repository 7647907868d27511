/**
 * Alibaba Cloud's library, loaded when it is needed. Named here, since a part of the bundle that is
 * a CommonJS package itself has no names.
 */
export { DefaultCredentialsProvider } from "@alicloud/credentials";
