import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../src/meta/json-value.ts';
import { FieldDecodeError } from '../../../../src/scheme/model/field-decode-error.ts';
import { decodeObject } from '../../../../src/scheme/decode-object.ts';
import { schemaOf } from '../../../../src/scheme/schema-of.ts';
import { arbitraryDocument } from '../arbitrary-document.ts';
import { textOf } from '../text-of.ts';

function decode(message: string, value: JsonValue): JsonObject {
  return decodeObject(schemaOf(message), value).value;
}

function refusal(message: string, value: JsonValue): FieldDecodeError {
  try {
    decode(message, value);
  } catch (error) {
    assert.ok(error instanceof FieldDecodeError);
    return error;
  }
  return assert.fail('not refused');
}

/** A ConfigMap with one field under test, without the metadata that is always there. */
function configMap(fields: JsonObject): JsonObject {
  const { metadata: _, ...rest } = decode('api.core.v1.ConfigMap', fields);
  return rest;
}

describe('decodeObject', () => {
  it('drops unknown fields and reports their paths', () => {
    const { value, unknownFields } = decodeObject(schemaOf('api.core.v1.Pod'), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', nmae: 'q' },
      spec: { foo: 1, containers: [{ name: 'c', bar: { deep: 1 } }], nodeSelector: { any: 'key' } },
      extra: null,
    });
    assert.deepEqual(unknownFields, ['metadata.nmae', 'spec.containers[0].bar', 'spec.foo', 'extra']);
    assert.deepEqual(value['spec'], { containers: [{ name: 'c', resources: {} }], nodeSelector: { any: 'key' } });
  });

  it('minds the case of names', () => {
    assert.deepEqual(decodeObject(schemaOf('api.core.v1.Secret'), { Data: { a: 'eA==' } }).unknownFields, ['Data']);
  });

  it('writes fields in schema order behind kind and apiVersion, and map keys sorted', () => {
    const value = decode('api.core.v1.Secret', {
      type: 'Opaque',
      data: { b: '', a: '' },
      metadata: { namespace: 'n', name: 's' },
      apiVersion: 'v1',
      kind: 'Secret',
    });
    assert.equal(
      JSON.stringify(value),
      '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s","namespace":"n"},' +
        '"data":{"a":"","b":""},"type":"Opaque"}',
    );
  });

  it('takes null as absent', () => {
    assert.deepEqual(configMap({ data: null, immutable: null }), {});
  });

  it('rounds amounts in lists of resources up to thousandths, and no other quantities', () => {
    const resources = decode('api.core.v1.ResourceRequirements', { limits: { memory: '12.5m', cpu: ' +3 ' } });
    assert.deepEqual(resources, { limits: { cpu: '+3', memory: '13m' } });
    assert.deepEqual(decode('api.core.v1.EmptyDirVolumeSource', { sizeLimit: '12.5m' }), { sizeLimit: '12500u' });
    assert.deepEqual(decode('api.node.v1.Overhead', { podFixed: { memory: '12.5m' } }), {
      podFixed: { memory: '12500u' },
    });
  });

  it('takes a null item as the empty item', () => {
    assert.deepEqual(configMap({ data: { a: null } }), { data: { a: '' } });
    const value = decode('api.core.v1.PodSpec', { containers: [null] });
    assert.deepEqual(value['containers'], [{ name: '', resources: {} }]);
  });

  it('leaves out empty values that say as much as none, and keeps those that are a choice', () => {
    const spec = decode('api.core.v1.PodSpec', {
      hostNetwork: false,
      automountServiceAccountToken: false,
      priority: 0,
      hostname: '',
      nodeSelector: {},
      tolerations: [],
      containers: [],
      volumes: [{ name: 'v', emptyDir: {} }],
    });
    assert.deepEqual(spec, {
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: [],
      automountServiceAccountToken: false,
      priority: 0,
    });
  });

  it('writes what is always there', () => {
    assert.deepEqual(decode('api.networking.v1.Ingress', {}), {
      metadata: {},
      spec: {},
      status: { loadBalancer: {} },
    });
    const event = decode('api.core.v1.Event', { count: 1 });
    assert.deepEqual([event['firstTimestamp'], event['source'], event['reportingComponent']], [null, {}, '']);
    assert.equal(decode('api.rbac_authorization.v1.Role', {})['rules'], null);
    assert.deepEqual(decode('api.core.v1.ResourceFieldSelector', { resource: 'limits.cpu' }), {
      resource: 'limits.cpu',
      divisor: '0',
    });
  });

  it('gives every decoded object its own empty values', () => {
    const first = decode('api.networking.v1.Ingress', {});
    const second = decode('api.networking.v1.Ingress', {});
    assert.notEqual(first['spec'], second['spec']);
  });

  it('brings times, quantities and base64 into canonical form', () => {
    const meta = decode('api.meta.v1.ObjectMeta', { deletionTimestamp: '2024-02-29T23:30:00.5-01:00' });
    assert.equal(meta['deletionTimestamp'], '2024-03-01T00:30:00Z');
    const lease = decode('api.coordination.v1.LeaseSpec', { renewTime: '2024-01-01T01:00:00.000001+01:00' });
    assert.equal(lease['renewTime'], '2024-01-01T00:00:00.000001Z');
    const { limits } = decode('api.core.v1.ResourceRequirements', { limits: { cpu: 0.5, memory: '1024Mi', n: 2 } });
    assert.deepEqual(limits, { cpu: '500m', memory: '1Gi', n: '2' });
    assert.deepEqual(decode('api.core.v1.Secret', { data: { a: 'eH\nk=\r\n', b: 'eB==' } })['data'], {
      a: 'eHk=',
      b: 'eA==',
    });
  });

  it('keeps integers of 64 bits exactly', () => {
    const big = 2n ** 63n - 1n;
    assert.equal(decode('api.meta.v1.ObjectMeta', { generation: big })['generation'], big);
    assert.equal(decode('api.meta.v1.ObjectMeta', { generation: 7n })['generation'], 7);
    assert.match(refusal('api.meta.v1.ObjectMeta', { generation: big + 1n }).message, /number 9223372036854775808/);
  });

  it('refuses values of the wrong type, with the path and the type', () => {
    const cases: readonly (readonly [message: string, value: JsonValue, error: string])[] = [
      ['Secret', [], 'json: cannot unmarshal array into value of type object'],
      ['Secret', { kind: 1 }, 'json: cannot unmarshal number 1 into field kind of type string'],
      ['Secret', { data: [] }, 'json: cannot unmarshal array into field data of type object'],
      ['Secret', { data: { a: 1 } }, 'json: cannot unmarshal number 1 into field data[a] of type bytes'],
      ['Secret', { data: { a: '!' } }, 'illegal base64 data at input byte 0 in field data[a]'],
      ['Secret', { data: { a: 'eA' } }, 'illegal base64 data at input byte 0 in field data[a]'],
      ['Secret', { immutable: 'true' }, 'json: cannot unmarshal string into field immutable of type bool'],
      ['Secret', { metadata: 'x' }, 'json: cannot unmarshal string into field metadata of type object'],
      ['PodSpec', { containers: {} }, 'json: cannot unmarshal object into field containers of type array'],
      ['PodSpec', { priority: 1.5 }, 'json: cannot unmarshal number 1.5 into field priority of type int32'],
      ['PodSpec', { priority: 2 ** 31 }, 'json: cannot unmarshal number 2147483648 into field priority of type int32'],
      [
        'PodSpec',
        { containers: [{}, { ports: [{ containerPort: '80' }] }] },
        'json: cannot unmarshal string into field containers[1].ports[0].containerPort of type int32',
      ],
      ['ServicePort', { targetPort: 1.5 }, 'json: cannot unmarshal number 1.5 into field targetPort of type int32'],
      ['ServicePort', { targetPort: {} }, 'json: cannot unmarshal object into field targetPort of type int32'],
      [
        'ResourceRequirements',
        { limits: { cpu: true } },
        'json: cannot unmarshal bool into field limits[cpu] of type quantity',
      ],
      ['Taint', { timeAdded: 'now' }, 'parsing time "now": not an RFC 3339 time in field timeAdded'],
    ];
    for (const [message, value, error] of cases) {
      assert.equal(refusal(`api.core.v1.${message}`, value).message, error);
    }
    assert.equal(refusal('api.core.v1.PodSpec', { containers: [1] }).path, 'containers[0]');
  });

  it('takes a boolean or an object where a schema may be either', () => {
    const props = 'api.apiextensions.v1.JSONSchemaProps';
    const either: readonly JsonValue[] = [true, false, {}, { type: 'string' }];
    for (const additionalProperties of either) {
      assert.deepEqual(decode(props, { additionalProperties }), { additionalProperties });
    }
    for (const additionalItems of ['true', 5, []]) {
      const { message } = refusal(props, { additionalItems });
      assert.equal(message, 'boolean or JSON schema expected in field additionalItems');
    }
  });

  it('says the path from where the caller says the value stands', () => {
    const schema = schemaOf('api.core.v1.PodSpec');
    const { unknownFields } = decodeObject(schema, { x: 1 }, { path: 'items[3].spec' });
    assert.deepEqual(unknownFields, ['items[3].spec.x']);
    assert.throws(
      () => decodeObject(schema, { priority: '' }, { path: 'items[3].spec' }),
      /field items\[3\].spec.priority/,
    );
  });

  it('keeps arbitrary JSON as it is', () => {
    const data = { b: 1, a: [null, { z: 2n ** 60n }], n: null };
    assert.deepEqual(decode('api.apps.v1.ControllerRevision', { data })['data'], data);
    const schema = { properties: { a: { items: [{}], additionalProperties: false } } };
    const props = decode('api.apiextensions.v1.JSONSchemaProps', { items: schema, default: 0, enum: [1, 'a', null] });
    assert.deepEqual([props['items'], props['default'], props['enum']], [schema, 0, [1, 'a', null]]);
    const fieldsV1 = { 'f:spec': { 'k:{"name":"a"}': { '.': {} } } };
    assert.deepEqual(decode('api.meta.v1.ManagedFieldsEntry', { fieldsV1 })['fieldsV1'], fieldsV1);
  });

  it('keeps schema extensions as they were spelled, under either set of identifiers', () => {
    const props = {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
      'x-cluster-preserve-unknown-fields': true,
    };
    const { value, unknownFields } = decodeObject(schemaOf('api.apiextensions.v1.JSONSchemaProps'), props);
    assert.deepEqual([value, unknownFields], [props, []]);
  });

  it('writes null where a choice must be made and was not', () => {
    assert.equal(decode('api.networking.v1.HTTPIngressPath', {})['pathType'], null);
  });

  it('keeps keys that other code would trip over as data', () => {
    const input = JSON.parse(
      '{"data":{"__proto__":"a","constructor":"b","toString":"c"},"__proto__":{"x":1},"toString":1}',
    );
    const { value, unknownFields } = decodeObject(schemaOf('api.core.v1.ConfigMap'), input);
    assert.equal(JSON.stringify(value['data']), '{"__proto__":"a","constructor":"b","toString":"c"}');
    assert.deepEqual(unknownFields, ['__proto__', 'toString']);
    assert.equal(Object.getPrototypeOf(value['data']), Object.prototype);
    assert.equal(({} as { x?: number }).x, undefined);
  });

  it('keeps the type of objects inside others that have one', () => {
    const value = decode('api.apps.v1.StatefulSetSpec', {
      volumeClaimTemplates: [{ kind: 'PersistentVolumeClaim', apiVersion: 'v1', metadata: { name: 'c' } }],
    });
    assert.match(
      JSON.stringify(value['volumeClaimTemplates']),
      /^\[\{"kind":"PersistentVolumeClaim","apiVersion":"v1"/,
    );
    const template = { template: { kind: 'x' } };
    assert.deepEqual(decodeObject(schemaOf('api.apps.v1.DeploymentSpec'), template).unknownFields, ['template.kind']);
  });

  it('changes nothing in what it was given', () => {
    const input = { data: { b: 'x', a: 'y' }, x: 1, metadata: null };
    const before = JSON.stringify(input);
    decode('api.core.v1.ConfigMap', input);
    assert.equal(JSON.stringify(input), before);
  });

  for (const message of [
    'api.core.v1.Pod',
    'api.networking.v1.Ingress',
    'api.certificates.v1.CertificateSigningRequest',
  ]) {
    const schema = schemaOf(message);
    it(`decodes what it has decoded to the same text: ${message}`, () => {
      fc.assert(
        fc.property(arbitraryDocument(schema), (document) => {
          const once = decodeObject(schema, document);
          const twice = decodeObject(schema, once.value);
          assert.deepEqual(twice.unknownFields, []);
          assert.equal(textOf(twice.value), textOf(once.value));
        }),
        { numRuns: 200 },
      );
    });
  }

  it('answers any JSON with a value or a FieldDecodeError, and pollutes no prototype', () => {
    const schema = schemaOf('api.core.v1.Pod');
    const keys = ['__proto__', 'constructor', 'prototype', 'metadata', 'spec', 'labels', 'containers', 'data'];
    const json = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 0, 1.5, 2n ** 70n, '', 'x'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc
          .array(fc.tuple(fc.constantFrom(...keys), tie('value')), { maxLength: 4 })
          .map((entries) => Object.fromEntries(entries)),
      ),
    })).value;
    const before = Object.getOwnPropertyNames(Object.prototype).join();
    fc.assert(
      fc.property(json, (value) => {
        try {
          decodeObject(schema, value);
        } catch (error) {
          assert.ok(error instanceof FieldDecodeError);
        }
      }),
    );
    assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), before);
  });
});
