import type { ResourceDefinition, VersionDefinition } from '../../../src/registry/definition/resource-definition.ts';
import type { ListSchema, MapSchema, ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';

/** A list or map somewhere in a kind, which a client can fill with megabytes. */
export interface LargeField {
  readonly info: ResourceDefinition;
  readonly version: VersionDefinition;
  /** Names of fields; `[]` is the one item of a list on the way, `{}` the one value of a map. */
  readonly path: readonly string[];
  readonly schema: ListSchema | MapSchema;
  /** The message that has the field, and its name: fields of one message are alike in every kind that has it. */
  readonly type: string;
}

/** Every list and map of every stored kind in every version; those of a message are listed once for each kind. */
export function largeFields(resources: readonly ResourceDefinition[]): readonly LargeField[] {
  const stored = resources.filter(({ storage }) => storage !== undefined);
  return stored.flatMap((info) => info.versions.flatMap((version) => fieldsOf(info, version)));
}

/** One field of each message, of the first kind that has it. */
export function distinctFields(fields: readonly LargeField[]): readonly LargeField[] {
  const byType = new Map<string, LargeField>();
  for (const field of fields) if (!byType.has(field.type)) byType.set(field.type, field);
  return [...byType.values()];
}

function fieldsOf(info: ResourceDefinition, version: VersionDefinition): readonly LargeField[] {
  const found = new Map<string, LargeField>();
  const visit = (schema: Schema, path: readonly string[], type: string, above: ReadonlySet<string>): void => {
    if (schema.type === 'list' || schema.type === 'map') {
      if (!found.has(type)) found.set(type, { info, version, path, schema, type });
      if (schema.type === 'list') visit(schema.items, [...path, '[]'], `${type}[]`, above);
      else visit(schema.values, [...path, '{}'], `${type}{}`, above);
    } else if (schema.type === 'object') visitFields(schema, path, above);
  };
  const visitFields = (schema: ObjectSchema, path: readonly string[], above: ReadonlySet<string>): void => {
    // Messages recurse.
    if (above.has(schema.name)) return;
    const below = new Set([...above, schema.name]);
    for (const { name, schema: part } of schema.fields.values()) {
      visit(part, [...path, name], `${schema.name}.${name}`, below);
    }
  };
  visitFields(version.schema(), [], new Set());
  return [...found.values()];
}
