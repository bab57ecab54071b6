import { getOwn, type JsonObject, setOwn } from '../../meta/json-value.ts';
import { pruneStructural, type PrunePosition } from './prune-structural.ts';
import type { StructuralSchema } from '../model/structural-schema.ts';

/**
 * Decodes an object of a custom kind: its metadata with `decodeMetadata`, which may throw a
 * DecodeError, and everything else by removing the fields that the schema does not know. Values of
 * wrong types are kept, for validation. Type and metadata come first, then all other fields by
 * their names.
 */
export function decodeCustom(
  structural: StructuralSchema,
  input: JsonObject,
  decodeMetadata: PrunePosition['decodeMetadata'],
): { readonly value: JsonObject; readonly unknownFields: string[] } {
  const position: PrunePosition = {
    steps: [],
    unknownFields: [],
    keepsAll: structural.keepsAll === true,
    decodeMetadata,
  };
  const value: JsonObject = {};
  for (const name of ['kind', 'apiVersion']) {
    const given = getOwn(input, name);
    if (given !== undefined && given !== null && given !== '') value[name] = given;
  }
  const metadata = getOwn(input, 'metadata');
  position.steps.push('metadata');
  value['metadata'] = decodeMetadata(metadata ?? {}, position);
  position.steps.pop();
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(value, name)));
  const pruned = pruneStructural({ ...structural, embedded: false }, rest, position) as JsonObject;
  for (const [name, part] of Object.entries(pruned)) setOwn(value, name, part);
  return { value, unknownFields: position.unknownFields };
}
