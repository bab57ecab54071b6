import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { formatPath, keyStep, type PathStep } from '../model/field-path.ts';
import type { StructuralSchema } from '../model/structural-schema.ts';
import { memoize } from '../../meta/memoize.ts';

/** A whole object inside another one. */
interface EmbeddedPart {
  readonly path: string;
  readonly object: JsonObject;
}

/** The whole objects inside a value, as its schema declares them; the value itself may be one. */
export function embeddedParts(schema: StructuralSchema, value: JsonValue): readonly EmbeddedPart[] {
  const found: EmbeddedPart[] = [];
  if (hasEmbedded(schema)) collect(schema, value, { steps: [], found });
  return found;
}

const hasEmbedded = memoize(
  ({ embedded, properties, items, additional }: StructuralSchema): boolean =>
    embedded ||
    [...properties.values()].some(hasEmbedded) ||
    (items !== undefined && hasEmbedded(items)) ||
    (typeof additional === 'object' && hasEmbedded(additional)),
);

interface Search {
  readonly steps: PathStep[];
  readonly found: EmbeddedPart[];
}

function collect(schema: StructuralSchema, value: JsonValue, search: Search): void {
  if (!hasEmbedded(schema)) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) for (const [index, item] of value.entries()) collectBelow(items, item, { search, step: index });
  } else if (isJsonObject(value)) {
    if (schema.embedded) search.found.push({ path: formatPath('', search.steps), object: value });
    for (const [name, part] of Object.entries(value)) {
      const declared = schema.properties.get(name);
      const other = schema.additional === true ? undefined : schema.additional;
      if (declared) collectBelow(declared, part, { search, step: name });
      else if (other) collectBelow(other, part, { search, step: keyStep(name) });
    }
  }
}

function collectBelow(
  schema: StructuralSchema,
  value: JsonValue,
  { search, step }: { readonly search: Search; readonly step: PathStep },
): void {
  search.steps.push(step);
  collect(schema, value, search);
  search.steps.pop();
}
