/** Files that are bundled as text: `import text from … with { type: "text" }`. */
declare module "*.yaml" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}
