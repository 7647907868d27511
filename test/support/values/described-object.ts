/**
 * What is wrong with an object by what a real kube-apiserver says of its kind
 * (test/real/api-conversation/openapi.ts): fields that there are none of, values of another type,
 * required ones that are missing. Pure.
 */
type Texts = Readonly<Record<string, string>>;

/** One line each; `meta` describes ObjectMeta. */
export function faultsOf(object: unknown, texts: Texts, meta: Texts): readonly string[] {
  return faultsAt(object, "", texts, meta);
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function faultsAt(value: unknown, path: string, texts: Texts, meta: Texts): readonly string[] {
  const form = texts[path];
  if (form === undefined) return [`${path} is no field`];
  const wrong = typeFault(value, form.split(" ")[0] ?? "");
  if (wrong !== null) return [`${path} is ${wrong}`];
  // `.metadata` is told once; a template's as well.
  const isMeta = /(^|\.template)\.metadata$/.test(path);
  if (isMeta) return faultsAt(value, "", meta, meta).map((fault) => `${path}${fault}`);
  if (Array.isArray(value)) return value.flatMap((one) => faultsAt(one, `${path}[]`, texts, meta));
  if (!isMap(value) || form.startsWith("open")) return [];
  if (texts[`${path}{}`] !== undefined)
    return Object.values(value).flatMap((one) => faultsAt(one, `${path}{}`, texts, meta));
  const inner = Object.entries(value).flatMap(([key, one]) =>
    faultsAt(one, `${path}.${key}`, texts, meta),
  );
  const missing = Object.entries(texts).flatMap(([key, text]) => {
    const name = key.startsWith(`${path}.`) ? key.slice(path.length + 1) : "";
    const isOwn = name !== "" && /^[^.[{]+$/.test(name) && / required$/.test(text);
    return isOwn && value[name] === undefined ? [`${key} is missing`] : [];
  });
  return [...inner, ...missing];
}

/** Null = it is of that type. */
function typeFault(value: unknown, type: string): string | null {
  const found = Array.isArray(value) ? "array" : isMap(value) ? "object" : typeof value;
  const fits: Readonly<Record<string, readonly string[]>> = {
    integer: ["number"],
    "int-or-string": ["number", "string"],
    "text-or-number": ["number", "string"],
    open: ["array", "object", "string", "number", "boolean"],
  };
  return (fits[type] ?? [type]).includes(found) ? null : `of type ${found} in place of ${type}`;
}
