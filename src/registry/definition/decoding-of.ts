import { memoize } from '../../meta/memoize.ts';
import { completeObject } from '../../scheme/complete-object.ts';
import type { ObjectDecoding } from '../../storage/objects/cached-object.ts';
import type { ResourceDefinition } from './resource-definition.ts';

/** How the stored objects of a resource are decoded; one value for all of them. */
export const decodingOf = memoize(({ storage, strategy, isCustom }: ResourceDefinition): ObjectDecoding => {
  const { fieldsOf } = strategy;
  if (isCustom || !storage) return { fieldsOf };
  return { fieldsOf, complete: (object) => completeObject(storage.schema(), object) };
});
