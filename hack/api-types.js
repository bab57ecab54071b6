// Writes the rows of messages as TypeScript: the JSON shapes of built-in kinds, for programs that use the client. Types only.

const scalars = {
  string: 'string',
  bytes: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  double: 'number',
  quantity: 'string',
  intOrString: 'number | string',
  time: 'string',
  microTime: 'string',
  duration: 'string',
  fieldsV1: 'Record<string, unknown>',
  any: 'unknown',
};

/** Groups and versions whose kinds have moved to others; only a Scale is left in one. */
const moved = new Set(['api.extensions', 'api.apps.v1beta2']);

/** The files by name: one for each version of a group that has kinds which no more stable one has. */
export function apiTypeFiles(rows) {
  const all = new Map(rows.map(({ name, row }) => [name, row]));
  const names = new Set(publishedPackages(rows));
  const files = [];
  // Packages that others refer to are added while the set is iterated.
  for (const name of names) {
    const own = rows.filter((row) => packageOf(row.name) === name);
    const { text, imports } = printPackage(name, own, all);
    for (const other of imports) names.add(other);
    files.push({ name: `${fileOf(name)}.ts`, text });
  }
  return files;
}

function publishedPackages(rows) {
  const names = [...new Set(rows.map(({ name }) => packageOf(name)))];
  const found = [];
  const known = new Set();
  for (const name of names.toSorted((a, b) => (stability(a) < stability(b) ? 1 : -1))) {
    const group = packageOf(name);
    const kinds = rows
      .filter((row) => packageOf(row.name) === name && isKind(row.row))
      .map((row) => `${group}.${shortName(row.name)}`);
    const isNew = isStable(name) || kinds.some((kind) => !known.has(kind));
    for (const kind of kinds) known.add(kind);
    if (isNew && !moved.has(group) && !moved.has(name)) found.push(name);
  }
  return found.toSorted(byName);
}

function packageOf(messageName) {
  return messageName.slice(0, messageName.lastIndexOf('.'));
}

function isStable(packageName) {
  return /\.v\d+$/.test(packageName);
}

/** Sorts stable versions after others, and later ones after earlier ones: `v1alpha1`, `v1beta1`, `v1`, `v2`. */
function stability(packageName) {
  return packageName.slice(packageName.lastIndexOf('.') + 1).replace(/^v(\d+)$/, 'w$1');
}

function isKind(row) {
  return row.fields.some(({ name, message }) => name === 'metadata' && message === 'api.meta.v1.ObjectMeta');
}

function byName(one, other) {
  return one < other ? -1 : 1;
}

/** `api.core.v1` is `core-v1`. */
function fileOf(packageName) {
  return packageName
    .replace(/^api\./, '')
    .replaceAll('.', '-')
    .replaceAll('_', '-');
}

function printPackage(packageName, rows, all) {
  const imports = new Set();
  const context = { packageName, imports, all };
  const types = rows.map(({ name, row }) => printMessage(shortName(name), row, context));
  const lines = [...imports]
    .toSorted(byName)
    .map((other) => `import type * as ${aliasOf(other)} from './${fileOf(other)}.ts';\n`);
  return { text: `${lines.join('')}${lines.length > 0 ? '\n' : ''}${types.join('\n')}`, imports };
}

function shortName(messageName) {
  return messageName.slice(messageName.lastIndexOf('.') + 1);
}

function aliasOf(packageName) {
  return fileOf(packageName).replaceAll('-', '_');
}

function printMessage(name, row, context) {
  const comment = docOf(row, '');
  if (row.scalar) return `${comment}export type ${name} = ${scalars[row.scalar]};\n`;
  if (row.bareList) return `${comment}export type ${name} = ${typeOf(row.fields[0], context)};\n`;
  const fields = fieldsOf(row, context.all);
  if (fields.length === 0) return `${comment}export type ${name} = Record<string, never>;\n`;
  const hasMetadata = fields.some(({ message }) => /^api\.meta\.v1\.(?:ObjectMeta|ListMeta)$/.test(message ?? ''));
  const head =
    hasMetadata && !fields.some(({ name: own }) => own === 'kind') ? '  apiVersion?: string;\n  kind?: string;\n' : '';
  return `${comment}export interface ${name} {\n${head}${fields.map((field) => printField(field, context)).join('')}}\n`;
}

/** The fields in JSON: those of inlined messages are among them. */
function fieldsOf(row, all) {
  return row.fields.flatMap((field) =>
    field.inline && field.message ? fieldsOf(all.get(field.message), all) : [field],
  );
}

function printField(field, context) {
  const key = /^\w+$/.test(field.name) ? field.name : `'${field.name}'`;
  const optional = isRequired(field) ? '' : '?';
  return `${docOf(field, '  ')}  ${key}${optional}: ${typeOf(field, context)};\n`;
}

/** As in the published OpenAPI, but for what the server completes. */
function isRequired({ publishedRequired, required, alwaysPresent, message, default: value, defaultWhen }) {
  if (value !== undefined || defaultWhen) return false;
  return publishedRequired ?? Boolean(required || (alwaysPresent && !message));
}

function typeOf(field, context) {
  const item = field.message ? reference(field.message, context) : scalarType(field);
  if (field.kind === 'map') return `Record<string, ${item}>`;
  return field.kind === 'list' ? `${item.includes(' ') ? `(${item})` : item}[]` : item;
}

/** Values that are known are offered, and others accepted: later releases add some. */
function scalarType({ scalar, enum: values }) {
  if (!values || scalar !== 'string') return scalars[scalar];
  return [...values.filter((value) => value !== '').map((value) => JSON.stringify(value)), '(string & {})'].join(' | ');
}

function reference(messageName, { packageName, imports }) {
  const owner = packageOf(messageName);
  if (owner === packageName) return shortName(messageName);
  imports.add(owner);
  return `${aliasOf(owner)}.${shortName(messageName)}`;
}

function docOf({ description }, indent) {
  return description ? `${indent}/** ${description.replaceAll('*/', '*')} */\n` : '';
}
