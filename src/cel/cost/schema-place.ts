import type { CelType } from '../types/cel-type.ts';
import type { CostRange } from './cost-range.ts';

/**
 * The type of the schema that the path of a value leads to; `outside` if the schema has no such
 * path. A value without a path, such as the result of a call, has no place.
 *
 * The estimator of kube-apiserver drops the first element of each path, because it takes it for the
 * name of the variable that the rule is about. The path to a part of a value without a path has no
 * such name, so that the part counts as the subject of the rule. Definitions rely on these
 * estimates, so they are the same here.
 */
export type SchemaPlace = CelType | 'outside';

/** The place of a field of an object at a place. */
export function fieldOf(place: SchemaPlace | undefined, field: string, scope: CelType): SchemaPlace {
  return step(place, scope, (type) => (type.kind === 'object' ? type.fields.get(field)?.type : valueOfNames(type)));
}

/**
 * The type of the values of a map whose keys are read as fields: the attributes of a device. Their
 * type is `dyn` with a known maximum size.
 */
function valueOfNames(type: CelType): CelType | undefined {
  return type.kind === 'map' && type.value.kind === 'dyn' && type.value.max !== undefined ? type.value : undefined;
}

/** The place of the items of a list, or of the values of a map. */
export function partOf(place: SchemaPlace | undefined, scope: CelType): SchemaPlace {
  return step(place, scope, (type) => {
    if (type.kind === 'list') return type.element;
    return type.kind === 'map' ? type.value : undefined;
  });
}

/** The place of the keys of a map. The indices of a list have none. */
export function keyOf(place: SchemaPlace | undefined, scope: CelType): SchemaPlace {
  return step(place, scope, (type) => (type.kind === 'map' ? type.key : undefined));
}

function step(
  place: SchemaPlace | undefined,
  scope: CelType,
  next: (type: CelType) => CelType | undefined,
): SchemaPlace {
  if (!place) return scope;
  return place === 'outside' ? place : (next(place) ?? 'outside');
}

/** The size of a value at a place, by its limit in the schema; undefined if nothing is known. */
export function sizeAt(place: SchemaPlace | undefined): CostRange | undefined {
  if (!place || place === 'outside') return undefined;
  return { min: 0, max: 'max' in place ? (place.max ?? 0) : 0 };
}
