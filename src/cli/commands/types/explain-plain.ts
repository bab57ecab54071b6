import { formatApiVersion } from '../../../meta/group-version-kind.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { visibleText } from '../../format-rows.ts';
import { descriptionsOf, type ExplainedField, fieldsOf, type SchemaField, typeName } from './schema.ts';
import { wrapped } from './wrapped.ts';

const width = 75;
const indent = 5;

/** Formats a type or a field as older versions of kubectl do (`-o plaintext-openapiv2`). */
export function explainPlain({ kind, name, schema, schemas }: ExplainedField, recursive: boolean): string {
  const fields = fieldsOf(schema, schemas);
  const type = typeName(schema, schemas, false);
  const label = fields.length > 0 ? 'RESOURCE:' : 'FIELD:   ';
  const [description] = descriptionsOf(schema, schemas);
  const list = fields.map(fieldText(schemas, recursive, 3));
  const lines = [
    `KIND:     ${kind.kind}`,
    `VERSION:  ${formatApiVersion(kind.group, kind.version)}`,
    '',
    ...(name === undefined ? [] : [`${label} ${name} <${type}>`, '']),
    'DESCRIPTION:',
    ...descriptionLines(description ?? '<empty>', indent),
    ...(fields.length > 0 ? ['', 'FIELDS:', ...list.flat()] : []),
  ];
  return `${lines.map((line) => line.split('\t').map(visibleText).join('\t')).join('\n')}\n`;
}

function descriptionLines(text: string, spaces: number): string[] {
  return wrapped(text, width).map((line) => ' '.repeat(spaces) + line);
}

/** The deepest fields that are shown; types may contain themselves. */
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
