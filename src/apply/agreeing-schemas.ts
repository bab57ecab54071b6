import type { ListSchema, MapSchema, ObjectSchema, Schema } from '../scheme/model/schema.ts';
import { undescribed } from '../scheme/structural/custom-kind-schema.ts';
import { partSchema } from './part-schema.ts';
import { isOpen } from './path-element.ts';
import { memoize } from '../meta/memoize.ts';

/**
 * Reports whether the fields that two versions of a kind have in common have the same owners in
 * both. If a conversion changes nothing but the version, the paths of one version then hold in the
 * other, and the object needs no conversion to compare the fields of managers. A field that one
 * version lacks is compared as in the other (`dropped-changes.ts`).
 */
export function agreeingSchemas(one: Schema, other: Schema): boolean {
  return agreementWith(one)(other);
}

const agreementWith = memoize((one: Schema) => memoize((other: Schema) => agree(one, other)));

function agree(one: Schema, other: Schema): boolean {
  if (one === other) return true;
  if (one.type === 'list')
    return other.type === 'list' ? listsAgree(one, other) : other === undescribed && !isOpen(one);
  if (one.type === 'object') return other.type === 'object' && structsAgree(one, other);
  if (one.type === 'map') {
    if (other.type === 'map') return mapsAgree(one, other);
    return one === undescribed && !isOpen(other);
  }
  return other === undescribed || !isContainer(other);
}

function isContainer({ type }: Schema): boolean {
  return type === 'list' || type === 'object' || type === 'map';
}

function listsAgree(one: ListSchema, other: ListSchema): boolean {
  if (one.listType !== other.listType) return false;
  if (one.listType === 'atomic') return true;
  return keysOf(one) === keysOf(other) && agree(one.items, other.items);
}

/** The fields that identify an item, with the values that count where they are missing. */
function keysOf({ mapKeys, items }: ListSchema): string {
  const fields = items.type === 'object' ? items.fields : undefined;
  return JSON.stringify(mapKeys.map((name) => [name, fields?.get(name)?.default ?? null]));
}

function mapsAgree(one: MapSchema, other: MapSchema): boolean {
  if (one.atomic !== other.atomic) return false;
  return one.atomic || agree(one.values, other.values);
}

function structsAgree(one: ObjectSchema, other: ObjectSchema): boolean {
  if (one.atomic !== other.atomic) return false;
  if (one.atomic) return true;
  for (const name of new Set([...one.fields.keys(), ...other.fields.keys()])) {
    const [part, otherPart] = [partSchema(one, name), partSchema(other, name)];
    if (part && otherPart && !agree(part, otherPart)) return false;
  }
  return true;
}
