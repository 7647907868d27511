// Typed rules that biome cannot check, the size rules of docs/style.md, and the ban of ambient time,
// randomness and I/O outside src/app.
import tseslint from "typescript-eslint";

const ambient = [
  "process",
  "console",
  "fetch",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "performance",
  "crypto",
];

export default tseslint.config(
  { ignores: ["dist/**", "coverage/**", "node_modules/**", "**/*.mjs"] },
  {
    files: ["src/**/*.ts"],
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
    plugins: { "@typescript-eslint": tseslint.plugin },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/only-throw-error": "error",
      "@typescript-eslint/return-await": "error",
    },
  },
  {
    files: ["src/**/*.ts"],
    ignores: ["**/*.test.ts"],
    rules: {
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 50, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 10],
      "max-depth": ["error", 3],
      "max-params": ["error", 3],
    },
  },
  {
    files: ["src/**/*.ts"],
    ignores: ["src/app/**", "**/*.test.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...ambient.map((name) => ({ name, message: "use a port; only src/app touches the world" })),
      ],
      "no-restricted-properties": [
        "error",
        { object: "Date", property: "now", message: "use the Clock port" },
        { object: "Math", property: "random", message: "use the Random port" },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: "use the Clock port",
        },
      ],
    },
  },
);
