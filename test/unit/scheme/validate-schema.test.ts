import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { applyDefaults } from '../../../src/scheme/apply-defaults.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { validateSchema } from '../../../src/scheme/validate-schema.ts';
import { arbitraryDocument } from './arbitrary-document.ts';

/** Every error of an object as it would be stored, as one line each. */
function errorsOf(message: string, value: JsonObject): string[] {
  const schema = schemaOf(message);
  const object = decodeObject(schema, value).value;
  applyDefaults(schema, object);
  return validateSchema(schema, object).map((error) => `${error.field}: ${error.message}`);
}

function ingress(path: JsonObject): JsonObject {
  return { spec: { rules: [{ host: 'a.example.com', http: { paths: [path] } }] } };
}

const backend = { service: { name: 's', port: { number: 80 } } };

describe('validateSchema', () => {
  it('finds nothing wrong with a good pod, deployment, ingress, secret and request', () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const selector = { matchLabels: { a: 'b' } };
    assert.deepEqual(errorsOf('api.core.v1.Pod', template), []);
    assert.deepEqual(errorsOf('api.apps.v1.Deployment', { spec: { selector, template } }), []);
    assert.deepEqual(errorsOf('api.networking.v1.Ingress', ingress({ path: '/', pathType: 'Prefix', backend })), []);
    assert.deepEqual(errorsOf('api.core.v1.Secret', { data: { 'tls.crt': '' } }), []);
    assert.deepEqual(
      errorsOf('api.certificates.v1.CertificateSigningRequest', {
        spec: { request: 'eA==', signerName: 'a.b/c', usages: ['client auth'] },
      }),
      [],
    );
  });

  it('collects every error, in schema order', () => {
    assert.deepEqual(
      errorsOf('api.core.v1.Pod', {
        spec: {
          restartPolicy: 'Sometimes',
          containers: [{ name: 'C', ports: [{ containerPort: 65536 }, { protocol: 'ICMP' }] }],
          volumes: [{ hostPath: {} }],
        },
      }).map((line) => line.slice(0, 90)),
      [
        'spec.volumes[0].name: Required value',
        'spec.volumes[0].hostPath.path: Required value',
        'spec.containers[0].name: Invalid value: "C": a lowercase RFC 1123 label must consist of lower',
        'spec.containers[0].image: Required value',
        'spec.containers[0].ports[0].containerPort: Invalid value: 65536: must be between 1 and 6553',
        'spec.containers[0].ports[1].containerPort: Required value',
        'spec.containers[0].ports[1].protocol: Unsupported value: "ICMP": supported values: "SCTP",',
        'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure',
      ].map((line) => line.slice(0, 90)),
    );
  });

  it('gives the reasons that clients branch on', () => {
    const schema = schemaOf('api.core.v1.PodSpec');
    const { value } = decodeObject(schema, { restartPolicy: 'x', containers: [], hostname: '-' });
    assert.deepEqual(
      validateSchema(schema, value).map(({ reason, field }) => [reason, field]),
      [
        ['FieldValueRequired', 'containers'],
        ['FieldValueNotSupported', 'restartPolicy'],
        ['FieldValueInvalid', 'hostname'],
      ],
    );
  });

  it('demands selector and containers of a deployment', () => {
    assert.deepEqual(errorsOf('api.apps.v1.Deployment', { spec: { replicas: -1 } }), [
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      'spec.selector: Required value',
      'spec.template.spec.containers: Required value',
    ]);
  });

  it('checks an ingress', () => {
    assert.deepEqual(errorsOf('api.networking.v1.Ingress', ingress({ backend })), [
      'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
    ]);
    assert.deepEqual(errorsOf('api.networking.v1.Ingress', ingress({ pathType: 'Regex', backend })), [
      'spec.rules[0].http.paths[0].pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"',
    ]);
    assert.deepEqual(errorsOf('api.networking.v1.IngressBackend', { service: { port: { number: 65536 } } }), [
      'service.name: Required value',
      'service.port.number: Invalid value: 65536: must be between 1 and 65535, inclusive',
    ]);
    // The rules of the kind check it where it is a field.
    assert.deepEqual(errorsOf('api.networking.v1.Ingress', { spec: { defaultBackend: { service: {} } } }), []);
    assert.match(
      errorsOf('api.networking.v1.Ingress', { spec: { ingressClassName: '' } }).join(),
      /^spec.ingressClassName: Invalid value: "": a lowercase RFC 1123 subdomain/,
    );
    assert.deepEqual(errorsOf('api.networking.v1.Ingress', { spec: { rules: [{ http: {} }] } }), [
      'spec.rules[0].http.paths: Required value',
    ]);
  });

  it('checks the keys of a secret', () => {
    assert.match(
      errorsOf('api.core.v1.Secret', { data: { 'a b': '' } }).join(),
      /^data\[a b\]: Invalid value: "a b": a valid config key must consist of/,
    );
  });

  it('checks a certificate request', () => {
    assert.deepEqual(errorsOf('api.certificates.v1.CertificateSigningRequest', { spec: { expirationSeconds: 599 } }), [
      'spec.signerName: Required value',
      'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
    ]);
  });

  it('knows addresses and networks', () => {
    assert.deepEqual(errorsOf('api.core.v1.EndpointAddress', { ip: '1.2.3' }), [
      'ip: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
    assert.deepEqual(errorsOf('api.core.v1.EndpointAddress', { ip: 'fe80::1' }), []);
    const cidrs = ['10.0.0.0/8', 'fd00::/64'];
    const wrong = ['10.0.0.0/33', '10.0.0.0/08', '10.0.0.0', 'fd00::/129', '::1%eth0/64', '1.2.3.4/8/9'];
    for (const cidr of cidrs) assert.deepEqual(errorsOf('api.networking.v1.IPBlock', { cidr }), []);
    for (const cidr of wrong) assert.equal(errorsOf('api.networking.v1.IPBlock', { cidr }).length, 1, cidr);
  });

  it('checks every item of a list that has an enumeration or a format', () => {
    const rule = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
    assert.deepEqual(errorsOf('api.admissionregistration.v1.RuleWithOperations', { ...rule, operations: ['*', 'x'] }), [
      'operations[1]: Unsupported value: "x": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
    ]);
  });

  it('says the path from where the caller says the value stands', () => {
    const schema = schemaOf('api.core.v1.EnvVar');
    assert.deepEqual(
      validateSchema(schema, {}, { path: 'spec.env[0]' }).map(({ field }) => field),
      ['spec.env[0].name'],
    );
  });

  for (const message of ['api.core.v1.Pod', 'api.apps.v1.Deployment', 'api.networking.v1.Ingress']) {
    const schema = schemaOf(message);
    it(`answers for every document, and changes none: ${message}`, () => {
      fc.assert(
        fc.property(arbitraryDocument(schema), (document) => {
          const { value } = decodeObject(schema, document);
          const before = structuredClone(value);
          for (const error of validateSchema(schema, value)) assert.ok(error.field !== '' && error.message !== '');
          assert.deepEqual(value, before);
        }),
        { numRuns: 100 },
      );
    });
  }
});
