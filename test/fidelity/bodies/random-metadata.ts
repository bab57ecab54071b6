import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { Random } from '../../robustness/random.ts';
import { chance, maybe, some, someEntries, times } from '../choices.ts';
import { compact } from '../json-paths.ts';

/** Keys of labels. */
export const labelKeys: readonly string[] = ['app', 'tier', 'example.com/k', 'b'];

const annotationTexts: readonly string[] = ['x', '1', 'true', '', 'a b', 'é', '0x1f', '1e3', 'null', '~', 'yes'];

/** Labels, annotations, and now and then finalizers and owners, most of them valid. */
export function randomMetadata(random: Random, density: number): JsonObject {
  return compact({
    labels: maybe(random, density, () => someEntries(random, labelKeys, () => random.pick(['x', 'y', 'z']))),
    annotations: maybe(random, density * 0.7, () =>
      someEntries(random, ['note', 'example.com/n', 'c'], () => random.pick(annotationTexts)),
    ),
    finalizers: maybe(random, 0.06, () => some(random, ['example.com/a', 'example.com/b', 'example.com/c'], 1)),
    ownerReferences: maybe(random, 0.05, () => times(random.between(1, 2), () => randomOwner(random))),
  });
}

function randomOwner(random: Random): JsonObject {
  return compact({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: random.pick(['o1', 'o2']),
    uid: random.pick(['u-1', 'u-2']),
    controller: maybe(random, 0.3, () => chance(random, 0.5)),
    blockOwnerDeletion: maybe(random, 0.3, () => chance(random, 0.5)),
  });
}
