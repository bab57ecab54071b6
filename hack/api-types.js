// Writes the rows of messages as TypeScript: the JSON shapes of built-in kinds, in two forms. Types only.

/**
 * As clients send them: fields are optional unless the server demands them. Published with the client.
 */
const sent = {
  directory: 'types',
  isPresent: isDemanded,
  typeOf: sentType,
  // An interface shows its name in messages of the compiler.
  print: (name, fields) => `export interface ${name} {\n${fields}}\n`,
};

/**
 * As the server has them after decoding and defaults: what is always written and what has a default is there, and integers of
 * 64 bits may be bigint. A type alias is, unlike an interface, also a JsonObject.
 */
const stored = {
  directory: 'stored',
  isPresent: isAlwaysThere,
  typeOf: storedType,
  print: (name, fields) => `export type ${name} = {\n${fields}};\n`,
};

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

/** What decoding gives; `Json` is the type of values without a schema. */
const storedScalars = { ...scalars, int64: 'number | bigint', fieldsV1: '{ [key: string]: Json }', any: 'Json' };
const jsonType = 'type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };\n';

/** Groups and versions whose kinds have moved to others; only a Scale is left in one. */
const moved = new Set(['api.extensions', 'api.apps.v1beta2']);

/** Versions that are published though a more stable one has their kinds: the default release serves them. */
const kept = new Set(['api.flowcontrol.v1beta2']);

/** The files by path, in both forms: one for each version of a group that has kinds which no more stable one has. */
export function apiTypeFiles(rows) {
  return [sent, stored].flatMap((form) => filesOf(rows, form));
}

function filesOf(rows, form) {
  const all = new Map(rows.map(({ name, row }) => [name, row]));
  const names = new Set(publishedPackages(rows));
  const files = [];
  // Packages that others refer to are added while the set is iterated.
  for (const name of names) {
    const own = rows.filter((row) => packageOf(row.name) === name);
    const { text, imports } = printPackage(name, own, { all, form });
    for (const other of imports) names.add(other);
    files.push({ name: `${form.directory}/${fileOf(name)}.ts`, text });
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
    const isNew = isStable(name) || kept.has(name) || kinds.some((kind) => !known.has(kind));
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

function printPackage(packageName, rows, { all, form }) {
  const imports = new Set();
  const context = { packageName, imports, all, form };
  const types = rows.map(({ name, row }) => printMessage(shortName(name), row, context)).join('\n');
  const lines = [...imports]
    .toSorted(byName)
    .map((other) => `import type * as ${aliasOf(other)} from './${fileOf(other)}.ts';\n`);
  const head = `${lines.join('')}${lines.length > 0 ? '\n' : ''}${/\bJson\b/.test(types) ? `${jsonType}\n` : ''}`;
  return { text: `${head}${types}`, imports };
}

function shortName(messageName) {
  return messageName.slice(messageName.lastIndexOf('.') + 1);
}

function aliasOf(packageName) {
  return fileOf(packageName).replaceAll('-', '_');
}

function printMessage(name, row, context) {
  const { form, all } = context;
  const comment = docOf(row, '');
  if (row.scalar) return `${comment}export type ${name} = ${form.typeOf({ scalar: row.scalar }, context)};\n`;
  if (row.bareList) return `${comment}export type ${name} = ${form.typeOf(row.fields[0], context)};\n`;
  const fields = fieldsOf(row, all);
  if (fields.length === 0) return `${comment}export type ${name} = Record<string, never>;\n`;
  const hasMetadata = fields.some(({ message }) => /^api\.meta\.v1\.(?:ObjectMeta|ListMeta)$/.test(message ?? ''));
  const head =
    hasMetadata && !fields.some(({ name: own }) => own === 'kind') ? '  apiVersion?: string;\n  kind?: string;\n' : '';
  return comment + form.print(name, head + fields.map((field) => printField(field, context)).join(''));
}

/** The fields in JSON: those of inlined messages are among them. */
function fieldsOf(row, all) {
  return row.fields.flatMap((field) =>
    field.inline && field.message ? fieldsOf(all.get(field.message), all) : [field],
  );
}

function printField(field, context) {
  const key = /^\w+$/.test(field.name) ? field.name : `'${field.name}'`;
  const optional = context.form.isPresent(field) ? '' : '?';
  return `${docOf(field, '  ')}  ${key}${optional}: ${context.form.typeOf(field, context)};\n`;
}

/**
 * As in the published OpenAPI, but for what the server completes. The types serve all releases: they do not follow a change of
 * what a release publishes.
 */
function isDemanded({
  publishedRequired,
  publishedSince,
  required,
  alwaysPresent,
  message,
  default: value,
  defaultWhen,
}) {
  if (value !== undefined || defaultWhen) return false;
  if (publishedSince !== undefined) return !publishedRequired;
  return publishedRequired ?? Boolean(required || (alwaysPresent && !message));
}

/** A field that a release does not have, or whose feature may be off, may be absent. */
function isAlwaysThere({ alwaysPresent, default: value, defaultWhen, since, removed, gate }) {
  if (since !== undefined || removed !== undefined || gate !== undefined) return false;
  return Boolean(alwaysPresent) || (value !== undefined && !defaultWhen);
}

function sentType(field, context) {
  return listOrMapOf(field, field.message ? reference(field.message, context) : scalarType(field, scalars));
}

/** Empty lists, bytes, times and pointers that are always written are null. */
function storedType(field, context) {
  const type = listOrMapOf(field, field.message ? reference(field.message, context) : scalarType(field, storedScalars));
  const { alwaysPresent, explicit, kind, message, scalar, default: value } = field;
  const isNullable =
    kind !== undefined || explicit || scalar === 'bytes' || nullable.has(message) || isScalarMessage(message, context);
  return alwaysPresent && value === undefined && isNullable ? `${type} | null` : type;
}

/** Messages whose empty value is null in JSON. */
const nullable = new Set(['api.meta.v1.Time', 'api.meta.v1.MicroTime', 'api.runtime.v1.RawExtension']);

function isScalarMessage(message, { all }) {
  return ['time', 'microTime', 'any'].includes(all.get(message)?.scalar);
}

function listOrMapOf({ kind }, item) {
  if (kind === 'map') return `Record<string, ${item}>`;
  return kind === 'list' ? `${item.includes(' ') ? `(${item})` : item}[]` : item;
}

/** Values that are known are offered, and others accepted: later releases add some. */
function scalarType({ scalar, enum: values }, types) {
  if (!values || scalar !== 'string') return types[scalar];
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
