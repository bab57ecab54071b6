const keywords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return'.split(' '),
);

const accessible = /^[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*$/;

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name of a field in expressions; undefined if they cannot name it. */
export function escapeName(name: string): string | undefined {
  if (!accessible.test(name)) return undefined;
  if (keywords.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[.\-/]/g, (part) => escapes[part] ?? part);
}
