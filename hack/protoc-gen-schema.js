// A plugin of buf: writes the messages of proto/api and the rules on them as one compact table, src/gen/schema.ts, the sentences
// about them as another one, src/gen/descriptions.ts, and their shapes as types, src/gen/types/ and src/gen/stored/.
//
// Why not protoc-gen-es for these messages: its descriptors cost 100 ms and 35 MB when a program starts, because all of
// them are decoded at once. This table is text until a message is asked for (src/scheme/schema-of.ts). The sentences are
// as long as all else, and only documents of OpenAPI have them.
import { createRegistry, getOption, hasOption, ScalarType } from '@bufbuild/protobuf';
import { createEcmaScriptPlugin, runNodeJs } from '@bufbuild/protoplugin';
import { apiTypeFiles } from './api-types.js';
import { withChanges } from './schema-changes.js';

const preamble = `/** One field of a message, as declared in proto/: its wire form and its rules. Absent members do not apply. */
export interface FieldRow {
  /** JSON name. */
  readonly name: string;
  readonly number: number;
  /** Full name of the field's message. For a list that of its items, for a map that of its values. */
  readonly message?: string;
  /** The scalar type where there is no message. */
  readonly scalar?: string;
  readonly kind?: 'list' | 'map';
  readonly inline?: true;
  readonly alwaysPresent?: true;
  readonly explicit?: true;
  readonly required?: true;
  readonly checkedWhenMissing?: true;
  readonly unchecked?: true;
  readonly exact?: true;
  readonly publishedRequired?: boolean;
  /** The first release with this publishedRequired; earlier ones have the opposite. */
  readonly publishedSince?: string;
  readonly requiredDetail?: string;
  readonly default?: unknown;
  readonly defaultWhen?: { readonly field: string; readonly value: string };
  readonly enum?: readonly string[];
  readonly enumDetail?: string;
  readonly publishedEnum?: readonly string[];
  readonly format?: string;
  readonly keyFormat?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly boundsDetail?: string;
  readonly maxLength?: number;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  readonly mapType?: string;
  readonly structType?: string;
  readonly patch?: { readonly merge?: true; readonly retainKeys?: true; readonly replace?: true; readonly mergeKey?: string; readonly since?: string };
  /** The first release with the field, the first one without it again, and the gate that switches it. */
  readonly since?: string;
  readonly removed?: string;
  readonly gate?: string;
  /** The first release that leaves an empty value out of JSON, though the field is always present. */
  readonly omittedSince?: string;
  /** The first release in which an item of a keyed list that lacks the field has an empty key. */
  readonly emptyKeySince?: string;
  /** The values of the enumerations that are later than the field, with their first releases. */
  readonly laterValues?: readonly { readonly value: string; readonly since: string }[];
}

/** A message. */
export interface MessageRow {
  readonly fields: readonly FieldRow[];
  /** The message is this one value in JSON. */
  readonly scalar?: string;
  readonly bareList?: true;
  readonly atomic?: true;
  /** The first release in which that is so. */
  readonly atomicSince?: string;
  /** The fields of which at most one is set, and the field that names it. */
  readonly union?: { readonly discriminator?: string; readonly members: readonly string[] };
  /** The releases in which the message or a message in it has other fields or values than before, the oldest first. */
  readonly releases?: readonly string[];
  /** The gates of its fields, and of those in it. */
  readonly gates?: readonly string[];
}

/** Every message by its full name; each value is the JSON of a MessageRow. */
export const messageRows: Readonly<Record<string, string>> = {
`;

const descriptionsPreamble = `/**
 * The sentences about every message by its full name. Each value is the JSON of a list: the sentence about the message,
 * then those about its fields in the order of its row in \`schema.ts\`; '' where proto/ has none.
 */
export const messageDescriptions: Readonly<Record<string, string>> = {
`;

runNodeJs(
  createEcmaScriptPlugin({
    name: 'protoc-gen-schema',
    version: 'v1',
    generateTs(schema) {
      const registry = createRegistry(...schema.allFiles);
      const options = {
        field: registry.getExtension('schema.v1.field'),
        message: registry.getExtension('schema.v1.message'),
        file: registry.getExtension('schema.v1.file'),
      };
      const rows = withChanges(
        schema.files
          .filter((file) => file.proto.package.startsWith('api.'))
          .flatMap((file) => file.messages)
          .map((message) => ({ name: message.typeName, row: rowOf(message, registry, options) })),
      );
      rows.sort((a, b) => (a.name < b.name ? -1 : 1));
      writeTable(schema.generateFile('schema.ts'), preamble, rows, withoutDescriptions);
      writeTable(schema.generateFile('descriptions.ts'), descriptionsPreamble, rows, descriptionsIn);
      for (const { name, text } of apiTypeFiles(rows)) {
        const types = schema.generateFile(name);
        types.print('// Generated by hack/api-types.js from proto/. Do not edit.');
        types.print(text.trimEnd());
      }
    },
  }),
);

/** A table of messages; each value is the JSON of something in the row. */
function writeTable(file, head, rows, valueOf) {
  file.print('// Generated by hack/protoc-gen-schema.js from proto/. Do not edit.');
  file.print(
    head,
    rows.map(({ name, row }) => `  '${name}':\n    ${quoted(JSON.stringify(valueOf(row)))},\n`).join(''),
    '};',
  );
}

function withoutDescriptions(row) {
  return { ...withoutDescription(row), fields: row.fields.map(withoutDescription) };
}

function withoutDescription(row) {
  return Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'description'));
}

function descriptionsIn(row) {
  return [row, ...row.fields].map(({ description = '' }) => description);
}

function quoted(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The row of a message, or of the one in another version whose shape it has. */
function rowOf(message, registry, options) {
  const model = modelOf(message, registry, options);
  if (message.fields.length > 0 || !isShaped(message, options)) {
    const row = messageRow(message, options);
    return model ? describedAs(row, rowOf(model, registry, options)) : row;
  }
  if (!model) throw new Error(`${message.typeName} is empty, and no other version has a message of its name`);
  const row = rowOf(model, registry, options);
  const fields = row.fields.map((field) =>
    movedField(field, registry, message.file.proto.package, model.file.proto.package),
  );
  return { ...row, fields, ...descriptionOf(message) };
}

function isShaped({ file }, options) {
  return hasOption(file, options.file) && getOption(file, options.file).sameShapeAs !== '';
}

/** The message of the same name in the version whose shapes this one has. */
function modelOf(message, registry, options) {
  if (!isShaped(message, options)) return undefined;
  const version = getOption(message.file, options.file).sameShapeAs;
  return registry.getMessage(`${message.file.proto.package.replace(/[^.]+$/, version)}.${message.name}`);
}

/** The row with the descriptions of another one where it has none. */
function describedAs(row, { description, fields }) {
  const texts = new Map(fields.map((field) => [field.name, field.description]));
  const described = row.fields.map((field) => {
    const text = field.description ?? texts.get(field.name);
    return text ? { ...field, description: text } : field;
  });
  return {
    ...row,
    fields: described,
    ...((row.description ?? description) ? { description: row.description ?? description } : {}),
  };
}

function movedField(field, registry, here, there) {
  if (!field.message?.startsWith(`${there}.`)) return field;
  const message = here + field.message.slice(there.length);
  return registry.getMessage(message) ? { ...field, message } : field;
}

function messageRow(message, options) {
  const rules = hasOption(message, options.message) ? getOption(message, options.message) : {};
  return {
    ...(rules.scalar ? { scalar: lowerCamel(constantName(options.message, 'scalar', rules.scalar), 'SCALAR_') } : {}),
    ...(rules.bareList ? { bareList: true } : {}),
    ...(rules.atomic ? { atomic: true } : {}),
    ...(isSet(rules, 'atomicSince') ? { atomicSince: rules.atomicSince } : {}),
    ...(rules.union ? { union: unionOf(rules.union) } : {}),
    fields: message.fields.flatMap((field) => fieldRows(field, options.field)),
    ...descriptionOf(message),
  };
}

// Both spellings are known to every server, whatever its identifiers, and each is kept as it was written.
const extensionPrefixes = ['x-kubernetes-', 'x-cluster-'];

function unionOf({ discriminator, members }) {
  return { ...(discriminator ? { discriminator } : {}), members };
}

function fieldRows(field, extension) {
  const rules = hasOption(field, extension) ? getOption(field, extension) : undefined;
  const names = rules?.schemaExtension
    ? extensionPrefixes.map((prefix) => prefix + rules.schemaExtension)
    : [field.jsonName];
  return names.map((name) => fieldRow(name, field, rules, extension));
}

function fieldRow(name, field, rules, extension) {
  return {
    name,
    number: field.number,
    ...typeOf(field),
    ...(rules ? rulesOf(rules, extension) : {}),
    ...descriptionOf(field),
  };
}

function typeOf(field) {
  const kind = field.fieldKind === 'list' || field.fieldKind === 'map' ? { kind: field.fieldKind } : {};
  if (field.message) return { message: field.message.typeName, ...kind };
  return { scalar: ScalarType[field.scalar].toLowerCase(), ...kind };
}

const flags = ['inline', 'alwaysPresent', 'explicit', 'required', 'checkedWhenMissing', 'unchecked', 'exact'];
const plain = [
  'publishedRequired',
  'publishedSince',
  'requiredDetail',
  'enumDetail',
  'minimum',
  'maximum',
  'boundsDetail',
  'maxLength',
  'since',
  'removed',
  'omittedSince',
  'gate',
  'emptyKeySince',
];
const lists = ['enum', 'publishedEnum', 'listMapKeys'];
const enums = {
  format: ['STRING_FORMAT_', '-'],
  keyFormat: ['STRING_FORMAT_', '-'],
  listType: ['LIST_TYPE_', '-'],
  mapType: ['STRUCTURE_TYPE_', '-'],
  structType: ['STRUCTURE_TYPE_', '-'],
};

function rulesOf(rules, extension) {
  const row = {};
  for (const name of flags) if (rules[name]) row[name] = true;
  for (const name of plain) if (isSet(rules, name)) row[name] = rules[name];
  for (const name of lists) if (rules[name].length > 0) row[name] = rules[name];
  for (const [name, [prefix, separator]] of Object.entries(enums)) {
    if (rules[name])
      row[name] = constantName(extension, name, rules[name])
        .slice(prefix.length)
        .toLowerCase()
        .replaceAll('_', separator);
  }
  if (rules.default.case !== undefined) row.default = defaultOf(rules.default);
  if (rules.defaultWhen) row.defaultWhen = { field: rules.defaultWhen.field, value: rules.defaultWhen.value };
  if (rules.patch) row.patch = patchOf(rules.patch);
  if (rules.laterValues.length > 0) row.laterValues = rules.laterValues.map(({ value, since }) => ({ value, since }));
  return row;
}

function defaultOf({ case: name, value }) {
  if (name === 'defaultJson') return JSON.parse(value);
  return typeof value === 'bigint' ? Number(value) : value;
}

function patchOf(patch) {
  const row = {};
  for (const name of ['merge', 'retainKeys', 'replace']) if (patch[name]) row[name] = true;
  if (patch.mergeKey) row.mergeKey = patch.mergeKey;
  if (isSet(patch, 'since')) row.since = patch.since;
  return row;
}

// Proto2 messages keep defaults on the prototype, so that an own property is one that was set.
function isSet(message, name) {
  return Object.hasOwn(message, name);
}

function constantName(extension, fieldName, number) {
  const field = extension.message.fields.find((candidate) => candidate.localName === fieldName);
  return field.enum.values.find((value) => value.number === number).name;
}

function lowerCamel(name, prefix) {
  return name
    .slice(prefix.length)
    .toLowerCase()
    .replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

/** The comment before a message or a field, in one line. */
function descriptionOf(declaration) {
  const location = locationsOf(fileOf(declaration)).get(pathOf(declaration).join());
  const text = location?.leadingComments.replaceAll(/\s+/g, ' ').trim();
  return text ? { description: text } : {};
}

function fileOf({ kind, file, parent }) {
  return kind === 'message' ? file : parent.file;
}

/** The path of source information; 4 and 2 are FileDescriptorProto.message_type and DescriptorProto.field. */
function pathOf(declaration) {
  if (declaration.kind === 'message') return [4, declaration.file.messages.indexOf(declaration)];
  return [...pathOf(declaration.parent), 2, declaration.parent.proto.field.indexOf(declaration.proto)];
}

const locations = new WeakMap();
function locationsOf(file) {
  if (!locations.has(file)) {
    locations.set(
      file,
      new Map((file.proto.sourceCodeInfo?.location ?? []).map((entry) => [entry.path.join(), entry])),
    );
  }
  return locations.get(file);
}
