import { readObject } from '../../../client/read-object.ts';
import type { Client } from '../../../client/client.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import { findResource } from '../../../client/find-resource.ts';
import { groupVersionPath } from '../../../client/resource-path.ts';
import { hasReason } from '../../../client/error-of-response.ts';
import { formatApiVersion, parseApiVersion } from '../../../meta/group-version-kind.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { findType, resourcesOf, type Session } from '../../find-type.ts';
import { explainText, headerText } from './explain-text.ts';
import type { explainFlags } from './flags.ts';
import {
  descriptionsOf,
  elementOf,
  type ExplainedField,
  fieldsOf,
  type SchemaField,
  schemaOfKind,
  type Schemas,
  typeName,
} from './schema-of-kind.ts';
import { visibleText } from '../../format-rows.ts';
import { wrapped } from './wrapped.ts';

/** `cl explain`: the fields of a type, from the schemas that the server publishes. */
export async function explain({ words, options, io }: Invocation<typeof explainFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const { type, path } = splitWord(words[0] ?? '', await resourcesOf(session));
    const kind = await kindOf(session, type, options.apiVersion);
    const schemas = await schemasOf(client, kind, io.signal);
    const schema = schemaOfKind(schemas, kind);
    if (!schema) throw new CliError(`couldn't find resource for "${kind.group}/${kind.version}, Kind=${kind.kind}"`);
    const isPlain = options.output === 'plaintext-openapiv2';
    const found = fieldAt(schema, path, schemas);
    if (!found) {
      if (!isPlain) io.stdout.write(headerText(kind));
      throw new CliError(`field "${path.join('.')}" does not exist`, { hint: nearFields(schema, path, schemas) });
    }
    const field = { kind, name: path.at(-1), schema: found.schema, schemas };
    io.stdout.write((isPlain ? explainPlain : explainText)(field, options.recursive));
  });
}

/** The type and the path in `pods.spec`; a word may also be a type with its group. */
function splitWord(
  word: string,
  resources: readonly DiscoveredResource[],
): { readonly type: string; readonly path: readonly string[] } {
  const [type = '', ...path] = word.split('.').filter(Boolean);
  if (path.length === 0 || !findResource(resources, word)) return { type, path };
  return { type: word, path: [] };
}

async function kindOf(session: Session, type: string, apiVersion: string | undefined): Promise<ExplainedField['kind']> {
  const found = await findType(session, type);
  const wanted = apiVersion === undefined ? found : parseApiVersion(apiVersion);
  const resources = await resourcesOf(session);
  const isWanted = (each: ExplainedField['kind']) =>
    each.kind === found.kind && each.group === wanted?.group && each.version === wanted.version;
  const kind = resources.find(isWanted);
  if (kind) return kind;
  throw new CliError(`couldn't find resource for "${apiVersion ?? ''}, Kind=${found.kind}"`, {
    hint: 'cl api-versions lists all versions',
  });
}

async function schemasOf(
  client: Client,
  { group, version }: ExplainedField['kind'],
  signal: AbortSignal,
): Promise<Schemas> {
  try {
    const path = `/openapi/v3${groupVersionPath(group, version)}`;
    const request = { method: 'GET', path, signal };
    const document = readObject(client.codec, await client.transport.request(request), request) as JsonObject;
    return objectAt(document, 'components', 'schemas');
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    throw new CliError(`the server publishes no schemas of ${group ? `${group}/` : ''}${version}`, { cause: error });
  }
}

function fieldAt(
  schema: JsonObject,
  path: readonly string[],
  schemas: Schemas,
): Pick<SchemaField, 'schema'> | undefined {
  let found: Pick<SchemaField, 'schema'> | undefined = { schema };
  for (const name of path) found = found && fieldsOf(found.schema, schemas).find((field) => field.name === name);
  return found;
}

/** The fields beside the first that does not exist. */
function nearFields(schema: JsonObject, path: readonly string[], schemas: Schemas): string {
  const known = path.findIndex((_, index) => !fieldAt(schema, path.slice(0, index + 1), schemas));
  const owner = fieldAt(schema, path.slice(0, known), schemas);
  const names = owner ? fieldsOf(elementOf(owner.schema, schemas), schemas).map(({ name }) => name) : [];
  return names.length > 0 ? `there are ${names.join(', ')}` : 'it has no fields';
}

const width = 75;
const indent = 5;

/** Formats a type or field as older versions of kubectl do (`-o plaintext-openapiv2`). */
function explainPlain({ kind, name, schema, schemas }: ExplainedField, recursive: boolean): string {
  const fields = fieldsOf(schema, schemas);
  const type = typeName(schema, schemas, false);
  const label = fields.length > 0 ? 'RESOURCE:' : 'FIELD:   ';
  const descriptions = descriptionsOf(schema, schemas).map((text) => descriptionLines(text, indent));
  const list = fields.map(fieldText(schemas, recursive, 3));
  const lines = [
    `KIND:     ${kind.kind}`,
    `VERSION:  ${formatApiVersion(kind.group, kind.version)}`,
    '',
    ...(name === undefined ? [] : [`${label} ${name} <${type}>`, '']),
    'DESCRIPTION:',
    ...(descriptions.length > 0
      ? descriptions.flatMap((text, index) => (index > 0 ? ['', ...text] : text))
      : descriptionLines('<empty>', indent)),
    ...(fields.length > 0 ? ['', 'FIELDS:', ...list.flat()] : []),
  ];
  return `${lines.map((line) => line.split('\t').map(visibleText).join('\t')).join('\n')}\n`;
}

function descriptionLines(text: string, spaces: number): string[] {
  return wrapped(text, width).map((line) => ' '.repeat(spaces) + line);
}

/** The depth limit of fields, because types may be recursive. */
const deepest = 30;

function fieldText(schemas: ExplainedField['schemas'], recursive: boolean, spaces: number) {
  return ({ name, schema, isRequired }: SchemaField): string[] => {
    const line = `${' '.repeat(spaces)}${name}\t<${typeName(schema, schemas, false)}>`;
    const text = stringAt(schema, 'description').trim();
    if (!recursive)
      return [line + (isRequired ? ' -required-' : ''), ...(text ? descriptionLines(text, spaces + 2) : []), ''];
    if (spaces > deepest) return [line];
    return [line, ...fieldsOf(schema, schemas).flatMap(fieldText(schemas, true, spaces + 3))];
  };
}
