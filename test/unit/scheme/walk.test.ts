import assert from 'node:assert/strict';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { type Visited, walk } from '../../../src/scheme/walk.ts';

const schema = schemaOf('api.core.v1.PodSpec');
const { value } = decodeObject(schema, {
  nodeSelector: { b: '1', 'a/x': '2' },
  containers: [{ name: 'c', env: [{ name: 'E', value: 'v' }] }],
});

function paths(visit: (visited: Visited) => boolean | undefined = () => undefined): string[] {
  const seen: string[] = [];
  walk(schema, value, (visited) => {
    seen.push(visited.path());
    return visit(visited);
  });
  return seen;
}

describe('walk', () => {
  it('visits every value with its path, parents first, in schema order', () => {
    assert.deepEqual(paths(), [
      '',
      'containers',
      'containers[0]',
      'containers[0].name',
      'containers[0].env',
      'containers[0].env[0]',
      'containers[0].env[0].name',
      'containers[0].env[0].value',
      'containers[0].resources',
      'nodeSelector',
      'nodeSelector[a/x]',
      'nodeSelector[b]',
    ]);
  });

  it('leaves out the parts of a value if the visitor asks for it', () => {
    assert.deepEqual(
      paths(({ schema: { type } }) => type !== 'list' && type !== 'map'),
      ['', 'containers', 'nodeSelector'],
    );
  });

  it('gives each value its schema', () => {
    const types = new Map<string, string>();
    walk(schema, value, (visited) => {
      types.set(visited.path(), visited.schema.type);
      return undefined;
    });
    assert.equal(types.get('containers'), 'list');
    assert.equal(types.get('nodeSelector'), 'map');
    assert.equal(types.get('containers[0].env[0].value'), 'string');
  });

  it('visits a value of the wrong type, and nothing in it', () => {
    const seen: string[] = [];
    walk(schema, { containers: 'x', nodeSelector: null }, ({ path }) => {
      seen.push(path());
      return undefined;
    });
    assert.deepEqual(seen, ['', 'containers', 'nodeSelector']);
  });
});
