import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { mergedDescription } from '../../../../src/api/openapi/remote-documents.ts';
import type { OpenApiSchema } from '../../../../src/scheme/open-api-schema.ts';

const kinds = 'x-kubernetes-group-version-kind';
const refTo = (name: string): JsonObject => ({ $ref: `#/definitions/${name}` });

function merge(known: Record<string, OpenApiSchema>, definitions: Record<string, JsonObject>) {
  const all = new Map(Object.entries(known));
  const paths = new Map([['/apis/g/v1/things', { get: { schema: refTo('Thing') } }]]);
  const merged = mergedDescription({ paths, definitions: new Map(Object.entries(definitions)) }, all, kinds);
  return { definitions: Object.fromEntries(merged.definitions), paths: Object.fromEntries(merged.paths) };
}

describe('the description of another server', () => {
  it('shares the definitions that are equal', () => {
    const thing = { type: 'object', properties: { a: { type: 'string' } } };
    assert.deepEqual(merge({ Thing: thing }, { Thing: thing }).definitions, { Thing: thing });
  });

  it('keeps a definition that differs under another name, with all references to it', () => {
    const own = { type: 'object' };
    const { definitions, paths } = merge(
      { Thing: own, Thing_v2: own },
      { Thing: { type: 'string' }, List: { type: 'array', items: refTo('Thing') } },
    );
    assert.deepEqual(definitions, {
      Thing_v3: { type: 'string' },
      List: { type: 'array', items: refTo('Thing_v3') },
    });
    assert.deepEqual(paths, { '/apis/g/v1/things': { get: { schema: refTo('Thing_v3') } } });
  });

  it('adds its kinds to a definition that is equal else', () => {
    const kind = (group: string) => ({ group, kind: 'DeleteOptions', version: 'v1' });
    const { definitions } = merge(
      { Options: { type: 'object', [kinds]: [kind('a'), kind('b')] } },
      { Options: { type: 'object', [kinds]: [kind('b'), kind('c')] } },
    );
    assert.deepEqual(definitions, { Options: { type: 'object', [kinds]: [kind('a'), kind('b'), kind('c')] } });
  });
});
