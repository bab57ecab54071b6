import assert from 'node:assert/strict';
import { schemaOf } from '../../src/scheme/schema-of.ts';
import { withKnownFields } from './known-fields.ts';

const kind = { group: '', version: 'v1', kind: 'Pod' };

describe('A schema with the fields that a server knows', () => {
  it('has no others, at any depth', () => {
    const ofPod = { 'x-kubernetes-group-version-kind': [kind], properties: { spec: { $ref: '#/definitions/spec' } } };
    const definitions = {
      pod: ofPod,
      spec: { properties: { containers: { items: { $ref: '#/definitions/container' } } } },
      container: { properties: { name: {} } },
    };
    const pod = withKnownFields(schemaOf('api.core.v1.Pod'), { definitions }, kind);
    assert.deepEqual([...pod.fields.keys()], ['spec']);
    const spec = pod.fields.get('spec')?.schema;
    assert.ok(spec?.type === 'object');
    assert.deepEqual([...spec.fields.keys()], ['containers']);
    const containers = spec.fields.get('containers')?.schema;
    assert.ok(containers?.type === 'list' && containers.items.type === 'object');
    assert.deepEqual([...containers.items.fields.keys()], ['name']);
  });

  it('is whole where the server publishes none', () => {
    const pod = schemaOf('api.core.v1.Pod');
    assert.equal(withKnownFields(pod, { definitions: {} }, kind), pod);
  });
});
