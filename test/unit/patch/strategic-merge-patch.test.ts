import assert from 'node:assert/strict';
import {
  type Arbitrary,
  array,
  assert as holds,
  constantFrom,
  dictionary,
  letrec,
  oneof,
  property,
  record,
  uniqueArray,
} from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { PatchError } from '../../../src/patch/patch-error.ts';
import { applyStrategicMergePatch, takeWithoutDirectives } from '../../../src/patch/strategic-merge-patch.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';

const pod = schemaOf('api.core.v1.Pod');
const deployment = schemaOf('api.apps.v1.Deployment');

function patched(value: JsonObject, patch: JsonValue, schema = pod): JsonObject {
  const before = JSON.stringify([value, patch]);
  const result = applyStrategicMergePatch(value, patch, schema);
  assert.equal(JSON.stringify([value, patch]), before, 'arguments stay as they are');
  return result;
}

const spec = (containers: JsonValue[], more: JsonObject = {}): JsonObject => ({ spec: { containers, ...more } });
const meta = (metadata: JsonObject): JsonObject => ({ metadata });

const merges: readonly (readonly [string, JsonObject, JsonObject, JsonObject])[] = [
  [
    'merges objects field by field',
    meta({ name: 'p', labels: { a: '1' } }),
    meta({ labels: { b: '2' } }),
    meta({ name: 'p', labels: { a: '1', b: '2' } }),
  ],
  [
    'deletes what is null',
    meta({ labels: { a: '1', b: '2' } }),
    meta({ labels: { a: null, c: null } }),
    meta({ labels: { b: '2' } }),
  ],
  [
    'merges items by the key of the schema',
    spec([
      { name: 'a', image: '1' },
      { name: 'b', image: '2' },
    ]),
    spec([{ name: 'b', image: '3' }]),
    spec([
      { name: 'a', image: '1' },
      { name: 'b', image: '3' },
    ]),
  ],
  [
    'puts new items before those that nothing orders',
    spec([{ name: 'a' }, { name: 'b' }]),
    spec([{ name: 'c' }]),
    spec([{ name: 'c' }, { name: 'a' }, { name: 'b' }]),
  ],
  [
    'keeps items before those that they stood before',
    spec([{ name: 'c' }, { name: 'a' }, { name: 'b' }]),
    spec([{ name: 'e' }, { name: 'b' }, { name: 'd' }]),
    spec([{ name: 'e' }, { name: 'c' }, { name: 'a' }, { name: 'b' }, { name: 'd' }]),
  ],
  [
    'replaces lists without a merge strategy',
    spec([{ name: 'a', args: ['x', 'y'] }]),
    spec([{ name: 'a', args: ['z'] }]),
    spec([{ name: 'a', args: ['z'] }]),
  ],
  [
    'adds to lists of scalars that merge',
    meta({ finalizers: ['a', 'b'] }),
    meta({ finalizers: ['b', 'c'] }),
    meta({ finalizers: ['a', 'b', 'c'] }),
  ],
  ['leaves a list as it is for an empty one', spec([{ name: 'a' }]), spec([]), spec([{ name: 'a' }])],
  [
    'keeps fields that the schema does not know for the decoder',
    meta({ name: 'p' }),
    { unknown: { x: [1] } },
    { metadata: { name: 'p' }, unknown: { x: [1] } },
  ],
  [
    'replaces a value of another type',
    meta({ labels: 'x' }),
    meta({ labels: { a: '1' } }),
    meta({ labels: { a: '1' } }),
  ],
];

const directives: readonly (readonly [string, JsonObject, JsonObject, JsonObject])[] = [
  [
    '$patch: replace replaces an object',
    meta({ labels: { a: '1' } }),
    meta({ labels: { $patch: 'replace', b: '2' } }),
    meta({ labels: { b: '2' } }),
  ],
  [
    '$patch: delete empties an object',
    meta({ labels: { a: '1' } }),
    meta({ labels: { $patch: 'delete', b: '2' } }),
    meta({ labels: {} }),
  ],
  [
    '$patch: merge merges an object',
    meta({ labels: { a: '1' } }),
    meta({ labels: { $patch: 'merge', b: '2' } }),
    meta({ labels: { a: '1', b: '2' } }),
  ],
  [
    '$patch: delete takes an item out',
    spec([{ name: 'a' }, { name: 'b' }]),
    spec([
      { name: 'a', $patch: 'delete' },
      { name: 'z', $patch: 'delete' },
    ]),
    spec([{ name: 'b' }]),
  ],
  [
    '$patch: replace among the items replaces the list',
    spec([{ name: 'a' }]),
    spec([{ name: 'b' }, { $patch: 'replace' }]),
    spec([{ name: 'b' }]),
  ],
  [
    '$patch: merge merges an item',
    spec([{ name: 'a', image: '1' }]),
    spec([{ name: 'a', $patch: 'merge', tty: true }]),
    spec([{ name: 'a', image: '1', tty: true }]),
  ],
  [
    'an object that replaces keeps its nulls',
    meta({ labels: { a: '1' } }),
    meta({ labels: { $patch: 'replace', b: null } }),
    meta({ labels: { b: null } }),
  ],
  [
    '$deleteFromPrimitiveList takes scalars out',
    meta({ finalizers: ['a', 'b'] }),
    meta({ '$deleteFromPrimitiveList/finalizers': ['a', 'z'] }),
    meta({ finalizers: ['b'] }),
  ],
  [
    'and may go together with an addition',
    meta({ finalizers: ['a', 'b'] }),
    meta({ '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c'] }),
    meta({ finalizers: ['c', 'b'] }),
  ],
  [
    '$setElementOrder orders the items that it names',
    spec([{ name: 'c' }, { name: 'a' }, { name: 'b' }, { name: 'n' }]),
    { spec: { '$setElementOrder/containers': [{ name: 'n' }, { name: 'b' }] } },
    spec([{ name: 'c' }, { name: 'a' }, { name: 'n' }, { name: 'b' }]),
  ],
  [
    'and those that the patch adds',
    spec([{ name: 'c' }, { name: 'a' }, { name: 'b' }]),
    { spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'n' }], containers: [{ name: 'n' }] } },
    spec([{ name: 'c' }, { name: 'a' }, { name: 'b' }, { name: 'n' }]),
  ],
  [
    'and scalars',
    meta({ finalizers: ['a', 'b', 'c'] }),
    meta({ '$setElementOrder/finalizers': ['c', 'a'] }),
    meta({ finalizers: ['b', 'c', 'a'] }),
  ],
  [
    'and need not name items that are directives',
    { spec: {} },
    { spec: { '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'a', $patch: 'zork' }] } },
    { spec: { containers: [{ name: 'a', $patch: 'zork' }] } },
  ],
  [
    'and puts the items of a new list first that it names',
    spec([]),
    {
      spec: { '$setElementOrder/volumes': [{ name: 'a' }], volumes: [{ name: 'b', $patch: 'delete' }, { name: 'a' }] },
    },
    spec([], { volumes: [{ name: 'a' }, { name: 'b', $patch: 'delete' }] }),
  ],
  [
    'and puts the directives of a new list last, whether it names them or not',
    spec([]),
    {
      spec: {
        '$setElementOrder/volumes': [{ name: 'c' }, { name: 'b' }],
        volumes: [{ name: 'b' }, { name: 'c', $patch: 'delete' }],
      },
    },
    spec([], { volumes: [{ name: 'b' }, { name: 'c', $patch: 'delete' }] }),
  ],
  [
    'and puts items after those that it does not name if others were deleted for them',
    spec([{ name: 'a', image: 'i' }, { name: 'b' }, { name: 'c' }]),
    {
      spec: {
        '$setElementOrder/containers': [{ name: 'd' }, { name: 'a' }],
        containers: [{ name: 'd' }, { name: 'a' }, { name: 'a', $patch: 'delete' }],
      },
    },
    spec([{ name: 'b' }, { name: 'c' }, { name: 'd' }, { name: 'a' }]),
  ],
  [
    'and need not name a directive before an item',
    spec([{ name: 'a' }]),
    { spec: { '$setElementOrder/containers': [{ name: 'b' }], containers: [{ $patch: 'replace' }, { name: 'b' }] } },
    spec([{ name: 'b' }]),
  ],
  [
    'and need not name anything',
    spec([{ name: 'a' }]),
    { spec: { '$setElementOrder/containers': [], containers: [{ name: 'b' }] } },
    spec([{ name: 'a' }, { name: 'b' }]),
  ],
  [
    'and orders an empty list that did not exist',
    spec([]),
    { spec: { '$setElementOrder/volumes': [], volumes: [] } },
    spec([], { volumes: [] }),
  ],
  ['and does nothing without a list', meta({}), meta({ '$setElementOrder/finalizers': ['c'] }), meta({})],
  [
    '$retainKeys drops every other field',
    spec([], { volumes: [{ name: 'v', emptyDir: {} }] }),
    spec([], { volumes: [{ name: 'v', $retainKeys: ['name', 'secret'], secret: { secretName: 's' } }] }),
    spec([], { volumes: [{ name: 'v', secret: { secretName: 's' } }] }),
  ],
];

/** What is new is taken as it stands: its nulls are empty values in maps, and its directives are fields of nobody. */
const news: readonly (readonly [string, JsonObject, JsonObject, JsonObject])[] = [
  ['a new map keeps its nulls', meta({}), meta({ labels: { a: null } }), meta({ labels: { a: null } })],
  [
    'a new struct keeps its directives',
    { spec: {} },
    { spec: { affinity: { $patch: 'delete', podAffinity: {} } } },
    { spec: { affinity: { $patch: 'delete', podAffinity: {} } } },
  ],
  [
    'a new list keeps items that ask to be deleted, and items without a key',
    { spec: {} },
    spec([{ name: 'a', $patch: 'delete' }, { image: 'i' }]),
    spec([{ name: 'a', $patch: 'delete' }, { image: 'i' }]),
  ],
  [
    'a new list keeps items with the same key',
    { spec: {} },
    spec([{ name: 'a' }, { name: 'a' }]),
    spec([{ name: 'a' }, { name: 'a' }]),
  ],
  [
    'a new item keeps its directives',
    spec([{ name: 'a' }]),
    spec([{ name: 'b', env: [{ name: 'E', $patch: 'delete' }] }]),
    spec([{ name: 'b', env: [{ name: 'E', $patch: 'delete' }] }, { name: 'a' }]),
  ],
  [
    'an item may have no key but null',
    spec([{ name: 'a' }]),
    spec([{ name: null }]),
    spec([{ name: null }, { name: 'a' }]),
  ],
  [
    'an object in place of another type keeps its directives',
    meta({ labels: 'x' }),
    meta({ labels: { $patch: 'merge' } }),
    meta({ labels: { $patch: 'merge' } }),
  ],
  [
    'scalars to take out of a list that is not there are the list',
    meta({}),
    meta({ '$deleteFromPrimitiveList/finalizers': ['a'] }),
    meta({ finalizers: ['a'] }),
  ],
  [
    'scalars to take out of a list that the patch brings are ignored',
    meta({}),
    meta({ '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['b'] }),
    meta({ finalizers: ['b'] }),
  ],
  [
    'scalars to take out take the place of a list that does not merge',
    spec([{ name: 'a', args: ['x', 'y'] }]),
    spec([{ name: 'a', '$deleteFromPrimitiveList/args': [] }]),
    spec([{ name: 'a', args: [] }]),
  ],
  [
    'nothing but null to take out deletes the list',
    meta({ finalizers: ['a'] }),
    meta({ '$deleteFromPrimitiveList/finalizers': null }),
    meta({}),
  ],
];

describe('strategic merge patch', () => {
  for (const [name, value, patch, expected] of [...merges, ...directives, ...news]) {
    it(name, () => assert.deepEqual(patched(value, patch), expected));
  }

  it('retains keys of a struct', () => {
    const value = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } };
    const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } };
    assert.deepEqual(patched(value, patch, deployment), { spec: { strategy: { type: 'Recreate' } } });
  });

  it('puts an object in the place of one that the schema replaces as a whole', () => {
    const budget = schemaOf('api.policy.v1.PodDisruptionBudget');
    const value = { spec: { selector: { matchLabels: { a: 'b' } }, maxUnavailable: 1 } };
    const patch = { spec: { selector: { matchExpressions: [] } } };
    const expected = { spec: { selector: { matchExpressions: [] }, maxUnavailable: 1 } };
    assert.deepEqual(patched(value, patch, budget), expected);
  });

  const refused: readonly (readonly [string, JsonValue, string | RegExp])[] = [
    ['no object', [], 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [
      'an unknown directive',
      meta({ labels: { $patch: 'x', a: '1' } }),
      'unknown patch type: "x" in map: {"$patch":"x","a":"1"}',
    ],
    ['an unknown directive in an item', spec([{ $patch: 5 }]), 'unknown patch type: 5 in map: {"$patch":5}'],
    ['an item without its key', spec([{ image: 'i' }]), 'map: {"image":"i"} does not contain declared merge key: name'],
    [
      'an item without its key that replaces others',
      spec([{ $patch: 'replace' }, { image: 'i' }]),
      'map: {"image":"i"} does not contain declared merge key: name',
    ],
    ['a deleted item without its key', spec([{ $patch: 'delete' }]), /does not contain declared merge key: name$/],
    ['items of two types', spec(['a']), /^list element types are not identical: /],
    ['null in a list', meta({ finalizers: [null] }), 'list element types are not identical: [["f"],[null]]'],
    ['a number among texts', meta({ finalizers: ['a', 1] }), 'list element types are not identical: [["f"],["a",1]]'],
    [
      'removals of numbers among texts',
      meta({ '$deleteFromPrimitiveList/finalizers': [1] }),
      'list element types are not identical: [["f"],[1]]',
    ],
    [
      'a list in a list of texts',
      meta({ finalizers: [['f']] }),
      'list element types are not identical: [["f"],[["f"]]]',
    ],
    ['retained keys that are no list', meta({ $retainKeys: 'x' }), 'invalid patch format of retainKeys'],
    ['a field that is not retained', meta({ $retainKeys: ['a'], b: '1' }), 'invalid patch format of retainKeys'],
    [
      'an order that is no list',
      meta({ '$setElementOrder/finalizers': 'x' }),
      'invalid patch format of setElementOrder list',
    ],
    [
      'an order that names no list',
      meta({ $setElementOrderfinalizers: ['x'] }),
      'invalid patch format of setElementOrder list',
    ],
    ['removals that name no list', meta({ $deleteFromPrimitiveList: ['x'] }), 'invalid patch format of primitive list'],
    [
      'the order of a field that the kind does not have',
      meta({ '$setElementOrder/none': ['x'] }),
      'unable to find api field for the json field "none"',
    ],
    [
      'the order of the entries of a map',
      { metadata: { labels: { '$setElementOrder/a': ['x'] } } },
      'the entries of a map have no order',
    ],
    [
      'removals of another type than the items',
      { spec: { '$deleteFromPrimitiveList/containers': ['a'] } },
      'list element types are not identical: [[{"name":"a"}],["a"]]',
    ],
    [
      'an order that does not name items by their key',
      { spec: { '$setElementOrder/containers': [{ image: 'i' }] } },
      'map: {"image":"i"} does not contain declared merge key: name',
    ],
    [
      'such an order of a list of which the patch has nothing else',
      { spec: { '$setElementOrder/containers': [{}], containers: [] } },
      'map: {} does not contain declared merge key: name',
    ],
    [
      'an order of scalars for a list of objects',
      { spec: { '$setElementOrder/containers': ['a'], containers: [] } },
      'list element types are not identical: [[{"name":"a"}],["a"]]',
    ],
    [
      'an item without its key in a new list that has an order',
      { spec: { '$setElementOrder/volumes': [{}], volumes: [{ $patch: 'delete' }] } },
      'map: {"$patch":"delete"} does not contain declared merge key: name',
    ],
    [
      'an order that leaves out an item of a new list',
      { spec: { '$setElementOrder/volumes': [{ name: 'a' }], volumes: [{ name: 'b' }] } },
      /^The order in patch list:/,
    ],
    [
      'an order that leaves out an item of a list that does not merge',
      spec([{ name: 'a', args: ['x'], '$setElementOrder/args': ['y'] }]),
      /^The order in patch list:/,
    ],
    [
      'an order of objects without a key',
      { spec: { '$setElementOrder/tolerations': [{ key: 'a' }], tolerations: [{ key: 'a' }] } },
      'cannot merge lists without merge key',
    ],
    [
      'an order of a list that is deleted',
      { spec: { '$setElementOrder/volumes': [], volumes: null } },
      /^expected a list/,
    ],
    [
      'a directive after the last item that an order names',
      { spec: { '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'b' }, { $patch: 'replace' }] } },
      /^The order in patch list:/,
    ],
    [
      'an order that leaves out an item',
      { spec: { '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'b' }] } },
      `The order in patch list:\n[{"name":"b"}]\n doesn't match $setElementOrder list:\n[{"name":"a"}]\n`,
    ],
    ['an order of what is no list', meta({ '$setElementOrder/labels': ['x'] }), /^expected a list/],
  ];
  for (const [name, patch, message] of refused) {
    it(`refuses ${name}`, () => {
      const value = { metadata: { labels: { a: '1' }, finalizers: ['f'] }, spec: { containers: [{ name: 'a' }] } };
      assert.throws(
        () => patched(value, patch),
        (error) =>
          error instanceof PatchError &&
          error.kind === 'malformed' &&
          (typeof message === 'string' ? error.message === message : message.test(error.message)),
      );
    });
  }

  it('changes nothing as null', () => assert.deepEqual(patched(meta({ name: 'p' }), null), meta({ name: 'p' })));

  it('does not apply to lists of lists', () => {
    assert.throws(
      () => patched({ spec: { containers: [] } }, spec([['a']])),
      (error) => error instanceof PatchError && error.kind === 'failed',
    );
  });

  it('refuses what is nested too deep', () => {
    let patch: JsonObject = {};
    for (let depth = 0; depth < 20_000; depth++) patch = { metadata: patch };
    assert.throws(() => applyStrategicMergePatch({}, patch, pod), PatchError);
  });

  it('takes hostile keys for keys like any other', () => {
    const patch = JSON.parse(
      '{"metadata":{"labels":{"__proto__":"x","constructor":{"prototype":{"p":1}}}}}',
    ) as JsonObject;
    const result = patched({}, patch);
    assert.match(JSON.stringify(result), /"__proto__":"x"/);
    assert.equal(({} as Record<string, unknown>)['p'], undefined);
  });
});

describe('the laws of strategic merge patches', () => {
  const text = constantFrom('a', 'b', 'c');
  const container = record(
    { name: text, image: text, args: array(text, { maxLength: 2 }) },
    { requiredKeys: ['name'] },
  );
  const object: Arbitrary<JsonObject> = record({
    metadata: record({
      labels: dictionary(constantFrom('a', 'b', '__proto__'), text),
      finalizers: uniqueArray(text),
    }),
    spec: record({ containers: uniqueArray(container, { selector: ({ name }) => name, maxLength: 3 }) }),
  })
    // Records come without a prototype, unlike anything that was parsed.
    .map((value) => structuredClone(value));

  const withOrder = (part: JsonValue | undefined, list: string): JsonObject => {
    assert.ok(part !== undefined && isJsonObject(part));
    return { ...part, [`$setElementOrder/${list}`]: part[list] ?? [] };
  };
  const laws: Readonly<Record<string, (value: JsonObject, patch: JsonObject) => void>> = {
    'an empty patch changes nothing': (value) => assert.deepEqual(patched(value, {}), value),
    'a patch with the object itself changes nothing': (value) => assert.deepEqual(patched(value, value), value),
    'a patch with data alone does no more the second time': (value, patch) => {
      const once = patched(value, patch);
      assert.deepEqual(patched(once, patch), once);
    },
    'nulls delete, whatever was there': (value) =>
      assert.deepEqual(patched(value, { metadata: null, spec: { containers: null } }), { spec: {} }),
    'a replacement does not depend on what was there': (value, patch) =>
      assert.deepEqual(patched(value, { ...patch, $patch: 'replace' }), patched({}, patch)),
    'a patch of nothing is the object': (_, patch) => assert.deepEqual(patched({}, patch), patch),
    'each list may be sent with its own order': (value, patch) => {
      const ordered = {
        metadata: withOrder(patch['metadata'], 'finalizers'),
        spec: withOrder(patch['spec'], 'containers'),
      };
      assert.deepEqual(patched(value, ordered), patched(value, patch));
    },
  };
  for (const [name, law] of Object.entries(laws)) it(name, () => holds(property(object, object, law)));

  it('directives in what a patch adds are left out since release 1.28', () => {
    const patch: JsonObject = { spec: { containers: [{ name: 'a', $patch: 'delete' }, { name: 'b' }] } };
    const schema = schemaOf('api.core.v1.Pod');
    assert.deepEqual(applyStrategicMergePatch({}, patch, schema), patch);
    const taken = applyStrategicMergePatch({}, patch, schema, takeWithoutDirectives);
    assert.deepEqual(taken, { spec: { containers: [{ name: 'b' }] } });
  });

  it('lists in what a patch adds keep the lists and nulls in them', () => {
    const patch: JsonObject = { data: [[1, [2]], null, { $patch: 'delete' }, []] };
    const schema = schemaOf('api.apps.v1.ControllerRevision');
    const taken = applyStrategicMergePatch({}, patch, schema, takeWithoutDirectives);
    assert.deepEqual(taken, { data: [[1, [2]], null, []] });
  });

  it('no patch breaks anything', () => {
    const key = constantFrom(
      'metadata',
      'labels',
      'spec',
      'containers',
      'finalizers',
      'name',
      '$patch',
      '$retainKeys',
      '$setElementOrder/containers',
      '$deleteFromPrimitiveList/finalizers',
      '$setElementOrder/',
      '__proto__',
    );
    const { value } = letrec<{ value: JsonValue }>((tie) => ({
      value: oneof(
        { maxDepth: 5 },
        constantFrom<JsonValue>(null, 'replace', 'delete', 'merge', 'a', 1, true),
        array(tie('value'), { maxLength: 3 }),
        dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    holds(
      property(object, dictionary(key, value), (target, patch) => {
        try {
          patched(target, patch);
        } catch (error) {
          if (!(error instanceof PatchError)) throw error;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
