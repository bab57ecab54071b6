// Every message and field of the API has a sentence, which `cl explain`, editors and OpenAPI show: one that names its enumerated
// values and its default. The schemas of our own custom kinds are held to the same.
import { yamlLibrary } from '../src/codec/yaml-library.ts';
import { messageDescriptions } from '../src/gen/descriptions.ts';
import { type FieldRow, messageRows, type MessageRow } from '../src/gen/schema.ts';
import { isJsonObject, type JsonValue } from '../src/meta/json-value.ts';
import { stageSpecSchema } from '../src/nodes/stages/stage-schema.ts';
import { report, sourceFiles } from './source-files.ts';

/** Sentences begin with a capital letter, a value in quotes, or a value as it is written. */
const sentence = /^(?:[A-Z0-9"]|get, list|gRPC |linux or ).*\.$/s;

function faultsOfMessage(name: string, { fields }: MessageRow): string[] {
  // The table is generated: a list of texts for each message.
  const [description = '', ...texts] = JSON.parse(messageDescriptions[name] ?? '[]') as string[];
  const own = sentence.test(description) ? [] : [`${name} has no sentence in proto/`];
  return [
    ...own,
    ...fields.flatMap((field, index) => faultsOfField(`${name}.${field.name}`, texts[index] ?? '', field)),
  ];
}

function faultsOfField(name: string, description: string, { enum: values = [], ...field }: FieldRow): string[] {
  if (!sentence.test(description)) return [`${name} has no sentence in proto/`];
  const unnamed = values.filter((value) => !description.includes(value));
  return [
    ...(unnamed.length === 0 ? [] : [`${name}: its sentence does not name ${unnamed.join(', ')}`]),
    ...(hasDefault(field) && !/default/i.test(description) ? [`${name}: its sentence does not name the default`] : []),
  ];
}

/** A default that depends on another field, or that is empty, need not be named. */
function hasDefault({ default: value, defaultWhen }: Pick<FieldRow, 'default' | 'defaultWhen'>): boolean {
  return value !== undefined && !defaultWhen && JSON.stringify(value) !== '{}';
}

/** The faults of the properties of a schema in a definition of a custom kind, at any depth. */
function faultsOfSchema(path: string, schema: JsonValue | undefined): string[] {
  if (Array.isArray(schema)) return schema.flatMap((item) => faultsOfSchema(path, item));
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key !== 'properties' || !isJsonObject(value)) return faultsOfSchema(path, value);
    return Object.entries(value).flatMap(([name, property]) => {
      const text = isJsonObject(property) ? property['description'] : undefined;
      const isDescribed = name === 'metadata' || (typeof text === 'string' && sentence.test(text));
      const own = isDescribed ? [] : [`${path}.${name} has no sentence`];
      return [...own, ...faultsOfSchema(`${path}.${name}`, property)];
    });
  });
}

/** The definitions of custom kinds that the package and its deployments bring. */
function ownDefinitions(): string[] {
  const files = ['src', 'deploy'].flatMap((folder) => sourceFiles(folder, '.yaml'));
  return files.flatMap(({ path, text }) =>
    text.includes('kind: CustomResourceDefinition')
      ? yamlLibrary()
          .parseAllDocuments(text)
          .flatMap((document) => faultsOfSchema(path, document.toJS() as JsonValue))
      : [],
  );
}

const messages = Object.entries(messageRows).map(([name, text]) => [name, JSON.parse(text) as MessageRow] as const);
report('descriptions', [
  ...messages.flatMap(([name, row]) => faultsOfMessage(name, row)),
  ...faultsOfSchema('Stage.spec', stageSpecSchema),
  ...ownDefinitions(),
]);
