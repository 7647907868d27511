/** Files that are read as text when the program is bundled: `import text from … with { type: "text" }`. */
declare module "*.yaml" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}
