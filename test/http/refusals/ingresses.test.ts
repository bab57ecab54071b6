import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation } from './check-refusals.ts';

const beta = 'ingresses@networking.k8s.io/v1beta1';
const oldest = 'ingresses@extensions/v1beta1';
const target = (backend: JsonObject): JsonObject => ({
  spec: { backend: { serviceName: null, servicePort: null, ...backend } },
});
const oldestTarget = (backend: JsonObject): JsonObject => ({ spec: { defaultBackend: null, backend } });
const path = (backend: JsonObject): JsonObject => ({
  spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
});
const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  "end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const portName = 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)';
const both = 'Invalid value: "": cannot set both resource and service backends';
const onPath = 'spec.rules[0].http.paths[0].backend';

const badSecret: JsonObject = { spec: { tls: [{ secretName: '-' }] } };

const creations: readonly Creation[] = [
  [beta, 'a secret that cannot be', badSecret, []],
  [oldest, 'a secret that cannot be', badSecret, []],
  ['ingresses', 'a secret that cannot be', badSecret, [`spec.tls[0].secretName: Invalid value: "-": ${subdomain}`]],
  [beta, 'no target', target({}), ['spec.backend: Invalid value: "": resource or service backend is required']],
  [
    beta,
    'no target at all',
    { spec: { backend: null } },
    ['spec: Invalid value: []: either `backend` or `rules` must be specified'],
  ],
  [
    beta,
    'a service that has no name',
    target({ serviceName: 'A', servicePort: 80 }),
    [`spec.backend.serviceName: Invalid value: "A": ${label}`],
  ],
  [
    beta,
    'a port that has no name',
    target({ serviceName: 'a', servicePort: 'http!' }),
    [`spec.backend.servicePort: Invalid value: "http!": ${portName}`],
  ],
  [
    beta,
    'a resource without a name',
    target({ resource: { kind: 'a' } }),
    ['spec.backend.resource.name: Required value: name is required'],
  ],
  [beta, 'a resource and a service', target({ resource: {}, serviceName: 'a' }), [`spec.backend: ${both}`]],
  [
    beta,
    'a path to a service that has no name',
    path({ serviceName: 'A', servicePort: 80 }),
    [`${onPath}.serviceName: Invalid value: "A": ${label}`],
  ],
  [oldest, 'a service without a name', oldestTarget({ serviceName: '' }), ['spec.backend.serviceName: Required value']],
  [
    'ingresses',
    'a service that has no name',
    { spec: { defaultBackend: { service: { name: 'A' } } } },
    [`spec.defaultBackend.service.name: Invalid value: "A": ${label}`],
  ],
  ['ingresses', 'a path to a resource and a service', path({ resource: {}, service: {} }), [`${onPath}: ${both}`]],
];

checkRefusals('Ingresses in each version', creations);
