import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { create, keys, maps, patch, text, times } from './inputs.ts';
import type { Shape, Sizes } from './shape.ts';

const pods = '/api/v1/namespaces/default/pods';
const type = 'strategic-merge-patch+json';

const named = (index: number): JsonObject => ({ name: `c${index}`, image: 'a' });
const variable = (index: number): JsonObject => ({ name: `V${index}`, value: 'a' });

/** A patch of a stored Pod. */
function podShape(name: string, spec: (sizes: Sizes) => JsonValue): Shape {
  return {
    name: `strategic patch: ${name}`,
    start: { stored: 10, patched: 10, length: 1 },
    make: (sizes) => {
      const env = times(sizes['stored'] ?? 1, variable);
      return {
        before: [create(pods, { spec: { containers: [{ ...named(0), env }] } })],
        request: patch(`${pods}/a`, type, { spec: spec(sizes) }),
        after: [{ method: 'DELETE', path: `${pods}/a?gracePeriodSeconds=0` }],
      };
    },
  };
}

const inContainer = (env: JsonValue, rest: JsonObject = {}): JsonValue => ({
  containers: [{ name: 'c0', env, ...rest }],
});

/** Strategic merge patches. */
export const strategicShapes: readonly Shape[] = [
  podShape('items of a keyed list', ({ patched = 1 }) => inContainer(times(patched, variable))),
  podShape('items that are deleted', ({ patched = 1 }) =>
    inContainer(times(patched, (index) => ({ name: `V${index}`, $patch: 'delete' }))),
  ),
  podShape('the order of a list', ({ patched = 1 }) =>
    inContainer([], {
      '$setElementOrder/env': times(patched, (index) => ({ name: `V${patched - index}` })),
    }),
  ),
  podShape('the same item again and again', ({ patched = 1, length }) =>
    inContainer(times(patched, () => ({ name: 'V0', value: text(length) }))),
  ),
  podShape('retained keys', ({ patched = 1 }) => ({
    volumes: times(patched, (index) => ({ name: `v${index}`, emptyDir: {}, $retainKeys: ['name', 'emptyDir'] })),
  })),
  {
    name: 'strategic patch: values of a list that are deleted',
    start: { stored: 10, patched: 10 },
    make: ({ stored = 1, patched = 1 }) => ({
      before: [
        create(maps, { metadata: { name: 'a', finalizers: times(stored, (index) => `example.com/f${index}`) } }),
      ],
      request: patch(`${maps}/a`, type, {
        metadata: { '$deleteFromPrimitiveList/finalizers': times(patched, (index) => `example.com/f${index}`) },
      }),
      after: [patch(`${maps}/a`, 'merge-patch+json', { metadata: { finalizers: null } })],
    }),
  },
  {
    name: 'strategic patch: nulls of a map',
    start: { stored: 10, patched: 10 },
    make: ({ stored = 1, patched = 1 }) => ({
      before: [create(maps, { data: keys(stored, 'a') })],
      request: patch(`${maps}/a`, type, { data: keys(patched, null) }),
    }),
  },
];
