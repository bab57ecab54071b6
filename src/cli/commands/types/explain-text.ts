import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { visibleText } from '../../format-rows.ts';
import {
  descriptionsOf,
  type ExplainedField,
  fieldsOf,
  referenceOf,
  resolved,
  type SchemaField,
  typeName,
} from './schema-of-kind.ts';
import { wrapped } from './wrapped.ts';

/** The longest line of a description, without its indentation. */
const width = 76;
const step = '  ';

/** The first lines: the type that is explained. */
export function headerText({ group, version, kind }: ExplainedField['kind']): string {
  return visibleLines(`${group ? `GROUP:      ${group}\n` : ''}KIND:       ${kind}\nVERSION:    ${version}\n\n`);
}

/** Formats a type or a field as kubectl does by default. */
export function explainText({ kind, name, schema, schemas }: ExplainedField, recursive: boolean): string {
  const own = resolved(schema, schemas);
  const field = name === undefined ? '' : `FIELD: ${name} <${typeName(schema, schemas)}>\n${enumLines(own)}\n`;
  const descriptions = descriptionsOf(schema, schemas).map((text) => indented(text, '    '));
  const description = descriptions.length > 0 ? `${descriptions.join('')}    \n` : '    <empty>\n';
  const fields = fieldsOf(schema, schemas);
  const list = fields.length > 0 ? `FIELDS:\n${fields.map(fieldText(schemas, recursive, step, [])).join('')}` : '';
  return visibleLines(`${headerText(kind)}${field}DESCRIPTION:\n${description}${list}\n`);
}

function enumLines(schema: JsonObject): string {
  const values = enumOf(schema);
  return values.length > 0 ? `ENUM:\n${values.map((value) => `    ${value}\n`).join('')}` : '\n';
}

function enumOf({ enum: values }: JsonObject): string[] {
  return Array.isArray(values)
    ? values.map((value: JsonValue) => (typeof value === 'string' ? value : JSON.stringify(value)))
    : [];
}

/** `parents` are the types that a field is in: one of them is not shown again. */
function fieldText(
  schemas: ExplainedField['schemas'],
  recursive: boolean,
  indent: string,
  parents: readonly string[],
): (field: SchemaField) => string {
  return ({ name, schema, isRequired }) => {
    const values = enumOf(resolved(schema, schemas));
    const lines = [
      `${indent}${name}\t<${typeName(schema, schemas)}>${isRequired ? ' -required-' : ''}\n`,
      values.length > 0 ? `${indent}enum: ${shortList(values)}\n` : '',
    ];
    if (!recursive)
      return `${lines.join('')}${indented(stringAt(schema, 'description').trim() || '<no description>', `${indent}  `)}\n`;
    const type = typesIn(schema, schemas);
    if (type !== '' && parents.includes(type)) return lines.join('');
    const inner = fieldText(schemas, true, indent + step, [...parents, type]);
    return lines.join('') + fieldsOf(schema, schemas).map(inner).join('');
  };
}

/** The name of the type whose fields a value, its elements or its values have. */
function typesIn(schema: JsonObject, schemas: ExplainedField['schemas']): string {
  const reference = referenceOf(schema);
  if (reference) return reference;
  const inner = [schema.items, schema.additionalProperties].find((each) => typeof each === 'object' && each !== null);
  return inner ? typesIn(inner as JsonObject, schemas) : '';
}

/** How many values of an enumeration a list of fields shows. */
const mostValues = 4;

function shortList(values: readonly string[]): string {
  return values.slice(0, mostValues).join(', ') + (values.length > mostValues ? ', ....' : '');
}

function indented(text: string, indent: string): string {
  return wrapped(text, width)
    .map((line) => `${indent}${line}\n`)
    .join('');
}

/** Replaces the control characters in texts of a server, except line breaks. */
function visibleLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(visibleText).join('\t'))
    .join('\n');
}
