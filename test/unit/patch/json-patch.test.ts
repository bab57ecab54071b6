import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonValue } from '../../../src/meta/json-value.ts';
import { applyJsonPatch } from '../../../src/patch/json-patch.ts';
import { PatchError, type PatchErrorKind } from '../../../src/patch/patch-error.ts';

function refuses(kind: PatchErrorKind, document: JsonValue, patch: JsonValue): void {
  const before = JSON.stringify(document);
  assert.throws(
    () => applyJsonPatch(document, patch),
    (error) => error instanceof PatchError && error.kind === kind,
  );
  assert.equal(JSON.stringify(document), before);
}

describe('JSON patch', () => {
  const stories: readonly (readonly [name: string, document: JsonValue, patch: JsonValue, result: JsonValue])[] = [
    ['adds a member', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['changes nothing where it is null', { a: 1 }, null, { a: 1 }],
    ['adds null', {}, [{ op: 'add', path: '/a', value: null }], { a: null }],
    ['adds over a member', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['inserts an item', [1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
    ['appends an item by its index', [1], [{ op: 'add', path: '/1', value: 2 }], [1, 2]],
    ['appends an item by -', [1], [{ op: 'add', path: '/-', value: [2] }], [1, [2]]],
    ['replaces the whole document', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
    ['removes a member', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['removes an item', [1, 2, 3], [{ op: 'remove', path: '/1' }], [1, 3]],
    ['replaces an item', [1, 2], [{ op: 'replace', path: '/0', value: 9 }], [9, 2]],
    ['moves a member', { a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: 1 }],
    ['moves an item', [1, 2, 3], [{ op: 'move', from: '/0', path: '/2' }], [2, 3, 1]],
    ['moves an item into the next one', [{ a: 1 }, {}], [{ op: 'move', from: '/0', path: '/0/b' }], [{ b: { a: 1 } }]],
    ['moves a member to itself', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
    [
      'copies a value that then lives on its own',
      { a: { x: [1] } },
      [
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'add', path: '/b/x/-', value: 2 },
      ],
      { a: { x: [1] }, b: { x: [1, 2] } },
    ],
    [
      'takes ~1 for a slash and ~0 for a tilde',
      { 'a/b': 1, 'c~d': 2, '~1': 3 },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'remove', path: '/c~0d' },
        { op: 'replace', path: '/~01', value: 4 },
      ],
      { '~1': 4 },
    ],
    ['names the empty key', { '': 1 }, [{ op: 'replace', path: '/', value: 2 }], { '': 2 }],
    [
      'tests whatever the order of keys',
      { a: { x: 1, y: [2] } },
      [{ op: 'test', path: '/a', value: { y: [2], x: 1 } }],
      { a: { x: 1, y: [2] } },
    ],
    ['takes a missing member for null in a test', { a: {} }, [{ op: 'test', path: '/a/b', value: null }], { a: {} }],
    ['takes digits for a key of an object', { a: { '01': 1 } }, [{ op: 'remove', path: '/a/01' }], { a: {} }],
    ['takes a sign and zeros before an index', [1, 2], [{ op: 'replace', path: '/+01', value: 9 }], [1, 9]],
    ['inserts before the place that a negative index names', [1, 2], [{ op: 'add', path: '/-2', value: 9 }], [1, 9, 2]],
    ['appends an item by -1', [1, 2], [{ op: 'add', path: '/-1', value: 9 }], [1, 2, 9]],
    ['removes an item from the end', [1, 2, 3], [{ op: 'remove', path: '/-2' }], [1, 3]],
    ['copies a missing member as null', { a: {} }, [{ op: 'copy', from: '/a/b', path: '/c' }], { a: {}, c: null }],
    ['takes a missing value for null', { a: 1 }, [{ op: 'add', path: '/b' }], { a: 1, b: null }],
    ['takes a ~ that starts no escape for itself', { 'a~2~': 1 }, [{ op: 'remove', path: '/a~2~' }], {}],
    ['ignores what stands before the first slash', { a: 1 }, [{ op: 'remove', path: 'x/a' }], {}],
    ['passes over members it does not know', { a: 1 }, [{ op: 'remove', path: '/a', from: 5, zork: true }], {}],
    ['does nothing without operations', { a: 1 }, [], { a: 1 }],
  ];
  for (const [name, document, patch, result] of stories) {
    it(name, () => {
      const before = structuredClone(document);
      const patchBefore = structuredClone(patch);
      assert.deepEqual(applyJsonPatch(document, patch), result);
      assert.deepEqual(document, before);
      assert.deepEqual(patch, patchBefore);
    });
  }

  const malformed: readonly JsonValue[] = [{}, 'x', [1]];
  for (const patch of malformed) {
    it(`is malformed as ${JSON.stringify(patch)}`, () => refuses('malformed', { a: 1 }, patch));
  }

  const impossible: readonly JsonValue[] = [
    [null],
    [{}],
    [{ op: 'zork', path: '' }],
    [{ op: 'constructor', path: '' }],
    [{ op: 'add', value: 1 }],
    [{ op: 'add', path: 'a', value: 1 }],
    [{ op: 'add', path: 5, value: 1 }],
    [{ op: 'move', path: '/a' }],
    [{ op: 'copy', path: '/a', from: 'b' }],
  ];
  for (const patch of impossible) {
    it(`cannot be run as ${JSON.stringify(patch)}`, () => refuses('failed', { a: 1 }, patch));
  }

  const failing: readonly { readonly op: string; readonly path: string; readonly [key: string]: JsonValue }[] = [
    { op: 'remove', path: '/zork' },
    { op: 'remove', path: '' },
    { op: 'remove', path: '/list/-' },
    { op: 'remove', path: '/list/3' },
    { op: 'remove', path: '/list/-4' },
    { op: 'replace', path: '/zork/a', value: 1 },
    { op: 'replace', path: '/list/3', value: 1 },
    { op: 'copy', from: '/list/3', path: '/a' },
    { op: 'move', from: '/zork', path: '/a' },
    { op: 'add', path: '/zork/a', value: 1 },
    { op: 'add', path: '/list/4', value: 1 },
    { op: 'add', path: '/list/-5', value: 1 },
    { op: 'add', path: '/list/ 1', value: 1 },
    { op: 'add', path: '/list/1e0', value: 1 },
    { op: 'add', path: '/list/length', value: 1 },
    { op: 'add', path: '/text/a', value: 1 },
    { op: 'test', path: '/zork/a', value: null },
    { op: 'move', from: '/list', path: '/list/0' },
    { op: 'copy', from: '/zork/a', path: '/a' },
    { op: 'add', path: '/__proto__/polluted', value: 1 },
    { op: 'add', path: '/constructor/prototype/polluted', value: 1 },
    { op: 'add', path: '/list/__proto__/polluted', value: 1 },
    { op: 'copy', from: '/toString/name', path: '/a' },
  ];
  it('distinguishes a failed test from a patch that cannot be applied', () => {
    refuses('untrue', { text: 'x' }, [{ op: 'test', path: '/text', value: 'y' }]);
    refuses('untrue', { list: [1, 2, 3] }, [{ op: 'test', path: '/list', value: [1, 2] }]);
  });
  for (const operation of failing) {
    it(`does not apply ${JSON.stringify(operation)}`, () => {
      refuses('failed', { list: [1, 2, 3], text: 'x' }, [operation]);
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    });
  }

  it('has the error messages of kube-apiserver', () => {
    const operations: readonly JsonValue[] = [
      { op: 'add', path: '', value: {} },
      { op: 'add', path: '/list/5', value: 1 },
      { op: 'add', path: '/list/x', value: 1 },
      { op: 'remove', path: '/zork/a' },
      { op: 'remove', path: '/list/x' },
      { op: 'replace', path: '/list/3', value: 1 },
      { op: 'test', path: '/zork/a', value: 1 },
      { op: 'test', path: '/list/3', value: 1 },
      { op: 'move', from: '/zork', path: '/a' },
      { op: 'move', from: '/list', path: '/list/0' },
      { op: 'copy', from: '/list/-4', path: '/a' },
      { op: 'copy', from: '/text', path: '/list/5' },
      { op: 'copy', path: '/a' },
      { op: 'add', value: 1 },
    ];
    const found = operations.map((operation) => {
      try {
        return applyJsonPatch({ list: [1, 2, 3], text: 'x' }, [operation]);
      } catch (error) {
        return (error as PatchError).message;
      }
    });
    assert.deepEqual(found, [
      'add operation does not apply: doc is missing path: "": missing value',
      "error in add for path: '/list/5': Unable to access invalid index: 5: invalid index referenced",
      "error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
      'remove operation does not apply: doc is missing path: "/zork/a": missing value',
      'error in remove for path: \'/list/x\': strconv.Atoi: parsing "x": invalid syntax',
      'replace operation does not apply: doc is missing key: /list/3: missing value',
      'test operation does not apply: is missing path: /zork/a: missing value',
      "error in test for path: '/list/3': Unable to access invalid index: 3: invalid index referenced",
      "error in move for path: 'zork': Unable to remove nonexistent key: zork: missing value",
      'move operation does not apply: doc is missing destination path: /list/0: missing value',
      "error in copy for from: '/list/-4': Unable to access invalid index: -4: invalid index referenced",
      'error while adding value during copy: Unable to access invalid index: 5: invalid index referenced',
      'copy operation failed to decode from: operation, missing from field: missing value',
      'add operation failed to decode path: missing value',
    ]);
  });

  it('replaces a member that is not there, as kube-apiserver does', () => {
    assert.deepEqual(applyJsonPatch({ a: 1 }, [{ op: 'replace', path: '/b', value: 2 }]), { a: 1, b: 2 });
  });

  it('takes __proto__ for a key like any other', () => {
    const result = applyJsonPatch({}, [
      { op: 'add', path: '/__proto__', value: {} },
      { op: 'add', path: '/__proto__/polluted', value: 1 },
    ]);
    assert.equal(JSON.stringify(result), '{"__proto__":{"polluted":1}}');
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('never pollutes, whatever the steps', () => {
    const step = fc.constantFrom('__proto__', 'constructor', 'prototype', 'a', '0', '-');
    const path = fc.array(step, { maxLength: 4 }).map((steps) => steps.map((name) => `/${name}`).join(''));
    const operation = fc.oneof(
      fc.record({
        op: fc.constantFrom('add', 'replace'),
        path,
        value: fc.constantFrom<JsonValue>({}, [], 1, { a: [] }),
      }),
      fc.record({ op: fc.constantFrom('move', 'copy'), path, from: path }),
      fc.record({ op: fc.constant('remove'), path }),
    );
    const names =
      Object.getOwnPropertyNames(Object.prototype).length + Object.getOwnPropertyNames(Array.prototype).length;
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 6 }), (patch) => {
        try {
          applyJsonPatch({ a: { a: [] } }, patch);
        } catch (error) {
          assert.ok(error instanceof PatchError);
        }
        assert.equal(
          Object.getOwnPropertyNames(Object.prototype).length + Object.getOwnPropertyNames(Array.prototype).length,
          names,
        );
      }),
    );
  });

  it('gives an item that was added at any index back by a removal at that index', () => {
    const list = fc.array(fc.integer(), { maxLength: 5 });
    fc.assert(
      fc.property(list, fc.integer({ min: -6, max: 5 }), (items, index) => {
        fc.pre(index <= items.length && index >= -items.length - 1);
        const place = `/${index}`;
        const added = applyJsonPatch(items, [{ op: 'add', path: place, value: 'x' }]);
        assert.deepEqual(
          applyJsonPatch(added, [
            { op: 'test', path: `/${(added as JsonValue[]).indexOf('x')}`, value: 'x' },
            { op: 'remove', path: place },
          ]),
          items,
        );
      }),
    );
  });

  it('refuses more than ten thousand operations', () => {
    refuses(
      'tooLarge',
      { a: 1 },
      Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: 1 })),
    );
  });

  it('refuses copies that double the document again and again', () => {
    const patch = Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '/a', path: `/a/x${i}` }));
    refuses('tooLarge', { a: { a: 'x'.repeat(100) } }, patch);
  });

  it('refuses to move millions of items thousands of times', () => {
    const patch = Array.from({ length: 10_000 }, () => ({ op: 'add', path: '/0', value: 0 }));
    refuses(
      'tooLarge',
      Array.from({ length: 500_000 }, () => 0),
      patch,
    );
  });

  it('refuses a result too deep for what comes after', () => {
    const deep = JSON.parse(`${'['.repeat(900)}${']'.repeat(900)}`) as JsonValue;
    const path = `${'/0'.repeat(899)}/-`;
    refuses('failed', deep, [{ op: 'add', path, value: deep }]);
  });
});
