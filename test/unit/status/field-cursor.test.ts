import assert from 'node:assert/strict';
import type { Service } from '../../../src/gen/stored/core-v1.ts';
import { collectedErrorLimit } from '../../../src/status/all-errors.ts';
import { FieldCursor } from '../../../src/status/field-cursor.ts';
import type { Strategy } from '../../../src/registry/definition/strategy.ts';

function service(spec: Partial<Service['spec']> = {}): Service {
  return {
    metadata: { creationTimestamp: null, annotations: { 'a.b/c': 'x' } },
    spec: { type: 'ClusterIP', sessionAffinity: 'None', ...spec },
    status: { loadBalancer: {} },
  };
}

const port = { protocol: 'TCP', port: 80 };
const notEmpty = (text: string): readonly string[] => (text === 'bad' ? ['must not be bad'] : []);

describe('a cursor over the fields of an object', () => {
  it('gives each error the path of its field, in the order of the rules', () => {
    const cursor = new FieldCursor(service({ ports: [port, { ...port, name: 'bad' }], externalName: 'bad' }));
    const spec = cursor.at('spec');
    spec.at('externalName').mustBe(notEmpty);
    for (const item of spec.each('ports')) {
      item.at('name').mustBeSet('for each port');
      item.at('name').mustBe(notEmpty);
    }
    for (const [key, value] of cursor.at('metadata').entries('annotations')) value.reportInvalid(`not ${key}`);
    spec.at('sessionAffinityConfig').at('clientIP').at('timeoutSeconds').reportForbidden('never');
    assert.deepEqual(
      cursor.errors.map(({ field, message }) => `${field}: ${message}`),
      [
        'spec.externalName: Invalid value: "bad": must not be bad',
        'spec.ports[0].name: Required value: for each port',
        'spec.ports[1].name: Invalid value: "bad": must not be bad',
        'metadata.annotations[a.b/c]: Invalid value: "x": not a.b/c',
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Forbidden: never',
      ],
    );
  });

  it('reports nothing of a value that is not there, and takes an empty text for none', () => {
    const spec = new FieldCursor(service({ externalName: '' })).at('spec');
    for (const name of ['externalName', 'clusterIP'] as const) {
      spec.at(name).mustBe(() => ['never']);
      spec.at(name).mustBeOneOf(['x']);
      spec.at(name).mustBeUnique(new Set(['']));
    }
    assert.deepEqual([...spec.each('ports')], []);
    assert.deepEqual(spec.errors, []);
  });

  it('stops reading a list when too many errors were found', () => {
    const spec = new FieldCursor(service({ externalIPs: Array.from({ length: 20_000 }, () => 'x') })).at('spec');
    for (const address of spec.each('externalIPs')) address.reportInvalid('bad');
    assert.equal(spec.errors.length, collectedErrorLimit);
  });

  it('does not compile for a field that the kind does not have', () => {
    const spec = new FieldCursor(service()).at('spec');
    // @ts-expect-error: the field is `clusterIP`.
    spec.at('clusterIp');
    // @ts-expect-error: the type of a Service is no list.
    spec.each('type');
    // @ts-expect-error: a rule for texts, and a number.
    spec.at('healthCheckNodePort').mustBe(notEmpty);
    // @ts-expect-error: the field is `spec.ports`.
    const strategy: Strategy<Service> = { default: (object) => void object.spec.port };
    assert.ok(strategy);
  });
});
