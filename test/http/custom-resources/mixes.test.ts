import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { nameOf } from '../../../src/meta/object-meta.ts';
import { objectAt, objectsAt } from '../../../src/meta/read-field.ts';
import { request } from '../http-client.ts';
import { openWatch } from '../reads/open-watch.ts';
import { until } from '../until.ts';
import { type ConversionWorld, gear, gears, gearsDefinition, startConversionWorld } from './conversion-world.ts';
import { define } from './widgets.ts';

const applyPatch = { 'content-type': 'application/apply-patch+yaml' };

/** Each version selects its own field and has a rule over it. */
function mixedDefinition(definition: JsonObject): JsonObject {
  const spec = objectAt(definition, 'spec');
  const versions = objectsAt(spec, 'versions').map((version) => {
    const field = version['name'] === 'v1' ? 'size' : 'width';
    const schema = objectAt(version, 'schema', 'openAPIV3Schema');
    const properties = objectAt(schema, 'properties');
    const rules = [{ rule: `self.${field} >= oldSelf.${field}`, message: `${field} may not shrink` }];
    const checked = { ...objectAt(properties, 'spec'), required: [field], 'x-cluster-validations': rules };
    return {
      ...version,
      schema: { openAPIV3Schema: { ...schema, properties: { ...properties, spec: checked } } },
      selectableFields: [{ jsonPath: `.spec.${field}` }],
    };
  });
  return { ...definition, spec: { ...spec, versions } };
}

describe('versions that a webhook converts, with rules and selectable fields', () => {
  let world: ConversionWorld;

  before(async () => {
    world = await startConversionWorld();
    await define(world.server, mixedDefinition(gearsDefinition(world.hooks)));
  });
  after(() => world[Symbol.asyncDispose]());

  const apply = (version: string, name: string, size: number) =>
    request(
      world.server,
      'PATCH',
      `${gears(version, name)}?fieldManager=${version}&force=true`,
      gear(version, name, size),
      applyPatch,
    );
  const selected = async (version: string, selector: string): Promise<readonly string[]> => {
    const list = await request(world.server, 'GET', `${gears(version)}?fieldSelector=${encodeURIComponent(selector)}`);
    assert.equal(list.status, 200, list.text);
    return objectsAt(list.body as JsonObject, 'items').map(nameOf);
  };

  it('select objects by the fields of the version of the request, whichever version applied them', async () => {
    const watch = await openWatch(world.server, `${gears('v2')}?watch=1&fieldSelector=spec.width%3D3`);
    for (const [version, name, size] of [
      ['v1', 'a', 3],
      ['v2', 'b', 3],
      ['v2', 'c', 2],
    ] as const) {
      const applied = await apply(version, name, size);
      assert.equal(applied.status, 201, applied.text);
    }
    assert.deepEqual(await selected('v1', 'spec.size=3'), ['a', 'b']);
    assert.deepEqual(await selected('v2', 'spec.width=3'), ['a', 'b']);
    assert.deepEqual(await selected('v2', 'spec.width!=3'), ['c']);
    assert.equal((await apply('v1', 'b', 4)).status, 200);
    assert.equal((await apply('v2', 'c', 3)).status, 200);
    await until('the events', () => watch.events.length === 4);
    const seen = watch.events.map(({ type, object }) => `${type} ${object.metadata.name}`);
    assert.deepEqual(seen, ['ADDED a', 'ADDED b', 'DELETED b', 'ADDED c']);
    watch.stop();
  });

  it('check an apply by the rules of its version, with the old value converted to it', async () => {
    assert.equal((await apply('v1', 'rule', 3)).status, 201);
    const shrunk = await apply('v2', 'rule', 2);
    assert.equal(shrunk.status, 422, shrunk.text);
    assert.match(shrunk.text, /spec: Invalid value: \\"object\\": width may not shrink/);
    // The limit of v1 alone is 5.
    const grown = await apply('v2', 'rule', 9);
    assert.equal(grown.status, 200, grown.text);
    const back = await apply('v1', 'rule', 4);
    assert.equal(back.status, 422, back.text);
    assert.match(back.text, /size may not shrink/);
  });
});
