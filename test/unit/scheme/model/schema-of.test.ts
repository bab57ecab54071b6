import assert from 'node:assert/strict';
import { messageRows } from '../../../../src/gen/schema.ts';
import type { Field, ListSchema, ObjectSchema, Schema } from '../../../../src/scheme/model/schema.ts';
import { schemaOf } from '../../../../src/scheme/schema-of.ts';

/** The field at a dotted path; lists and maps are entered without a step. */
function fieldAt(message: string, path: string): Field {
  let schema: Schema = schemaOf(message);
  let found: Field | undefined;
  for (const name of path.split('.')) {
    found = objectIn(schema).fields.get(name);
    assert.ok(found, `${message} has no ${path}`);
    schema = found.schema;
  }
  assert.ok(found);
  return found;
}

function objectIn(schema: Schema): ObjectSchema {
  if (schema.type === 'list') return objectIn(schema.items);
  if (schema.type === 'map') return objectIn(schema.values);
  assert.equal(schema.type, 'object');
  return schema;
}

function listAt(message: string, path: string): ListSchema {
  const { schema } = fieldAt(message, path);
  assert.equal(schema.type, 'list');
  return schema;
}

describe('schemaOf', () => {
  it('compiles every message that proto/ declares, with every field', () => {
    const names = Object.keys(messageRows);
    assert.ok(names.length > 800);
    for (const name of names) {
      if (!/"scalar":"[a-zA-Z0-9]+","fields"|"bareList"/.test(messageRows[name] ?? '')) {
        for (const field of schemaOf(name).fields.values()) assert.ok(field.schema.type, `${name}.${field.name}`);
      }
    }
  });

  it('gives one schema for a message, however often it is asked', () => {
    assert.equal(schemaOf('api.core.v1.Pod'), schemaOf('api.core.v1.Pod'));
    assert.equal(fieldAt('api.apps.v1.Deployment', 'spec.template').schema, schemaOf('api.core.v1.PodTemplateSpec'));
  });

  it('has the fields of a release, and one schema for releases that do not differ', () => {
    const inRelease = (release: string) => schemaOf('api.certificates.v1.CertificateSigningRequest', release);
    const spec = (release: string) => objectIn(inRelease(release).fields.get('spec')?.schema ?? assert.fail());
    assert.equal(spec('1.21').fields.has('expirationSeconds'), false);
    assert.equal(spec('1.22').fields.get('expirationSeconds')?.gate, 'CSRDuration');
    assert.ok(spec('1.22').gates?.includes('CSRDuration'));
    assert.equal(spec('1.22'), spec('1.30'));
    assert.notEqual(inRelease('1.21'), inRelease('1.22'));
    const rule = 'api.rbac_authorization.v1.PolicyRule';
    assert.equal(schemaOf(rule, '1.15'), schemaOf(rule));
  });

  it('has a field until the release that removed it', () => {
    const has = (release: string) => schemaOf('api.meta.v1.ObjectMeta', release).fields.has('clusterName');
    assert.deepEqual([has('1.24'), has('1.25')], [true, false]);
  });

  it('refuses names that proto/ does not declare, inherited ones too', () => {
    for (const name of ['api.core.v1.Nothing', 'constructor', '__proto__', ''])
      assert.throws(() => schemaOf(name), TypeError);
  });

  it('follows messages that hold themselves', () => {
    const none = fieldAt('api.apiextensions.v1.JSONSchemaProps', 'not');
    assert.equal(none.schema, schemaOf('api.apiextensions.v1.JSONSchemaProps'));
  });

  it('keeps the numbers of the wire', () => {
    assert.equal(fieldAt('api.networking.v1.HTTPIngressPath', 'pathType').number, 3);
    assert.equal(fieldAt('api.networking.v1.HTTPIngressPath', 'backend').number, 2);
    assert.equal(fieldAt('api.meta.v1.ObjectMeta', 'managedFields').number, 17);
    assert.equal(fieldAt('api.core.v1.Secret', 'stringData').number, 4);
  });

  it('keeps JSON names that the wire names do not give', () => {
    assert.ok(fieldAt('api.core.v1.ServiceSpec', 'clusterIPs'));
    assert.ok(fieldAt('api.networking.v1.IngressClassParametersReference', 'apiGroup'));
    assert.ok(fieldAt('api.admissionregistration.v1.MutatingWebhookConfiguration', 'webhooks'));
    assert.ok(fieldAt('api.core.v1.DaemonEndpoint', 'Port'));
    assert.ok(fieldAt('api.apiextensions.v1.JSONSchemaProps', '$ref'));
  });

  it('puts the fields of inlined messages among the others, with the way to them on the wire', () => {
    const volume = schemaOf('api.core.v1.Volume');
    assert.deepEqual([...volume.fields.keys()].slice(0, 3), ['name', 'hostPath', 'emptyDir']);
    assert.deepEqual(volume.fields.get('emptyDir')?.inlinePath, [2]);
    assert.deepEqual(fieldAt('api.networking.v1.IngressRule', 'http').inlinePath, [2]);
    const webhook = fieldAt('api.admissionregistration.v1.RuleWithOperations', 'apiGroups');
    assert.deepEqual([webhook.inlinePath, webhook.number], [[2], 1]);
  });

  it('knows how lists, maps and messages merge', () => {
    assert.equal(listAt('api.networking.v1.Ingress', 'spec.rules').listType, 'atomic');
    assert.equal(listAt('api.meta.v1.ObjectMeta', 'finalizers').listType, 'set');
    assert.deepEqual(listAt('api.core.v1.Container', 'ports').mapKeys, ['containerPort', 'protocol']);
    assert.equal(fieldAt('api.core.v1.Container', 'ports').patch?.mergeKey, 'containerPort');
    assert.deepEqual(fieldAt('api.core.v1.PodSpec', 'volumes').patch, {
      merge: true,
      retainKeys: true,
      mergeKey: 'name',
    });
    assert.equal(objectIn(fieldAt('api.apps.v1.DeploymentSpec', 'selector').schema).atomic, true);
    assert.equal(objectIn(fieldAt('api.core.v1.PersistentVolumeSpec', 'claimRef').schema).atomic, false);
  });

  it('names the values that are one thing in JSON', () => {
    assert.equal(fieldAt('api.meta.v1.ObjectMeta', 'creationTimestamp').schema.type, 'time');
    assert.equal(fieldAt('api.coordination.v1.LeaseSpec', 'renewTime').schema.type, 'microTime');
    assert.equal(fieldAt('api.core.v1.ServicePort', 'targetPort').schema.type, 'intOrString');
    assert.equal(fieldAt('api.apps.v1.ControllerRevision', 'data').schema.type, 'any');
    assert.equal(fieldAt('api.meta.v1.ManagedFieldsEntry', 'fieldsV1').schema.type, 'fieldsV1');
    assert.equal(fieldAt('api.certificates.v1.CertificateSigningRequestSpec', 'request').schema.type, 'bytes');
    const { schema } = fieldAt('api.core.v1.ResourceRequirements', 'limits');
    assert.equal(schema.type === 'map' && schema.values.type, 'quantity');
  });

  it('reads lists that are messages of their own on the wire as bare lists', () => {
    const { schema } = fieldAt('api.certificates.v1.CertificateSigningRequestSpec', 'extra');
    assert.equal(schema.type, 'map');
    const values = schema.type === 'map' ? schema.values : undefined;
    assert.deepEqual(values?.type === 'list' && [values.wrapped, values.items.type], [true, 'string']);
  });
});
