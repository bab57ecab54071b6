import type { JsonValue } from '../../../src/meta/json-value.ts';
import type { ScalarSchema, ScalarType, StringFormat } from '../../../src/scheme/model/schema.ts';
import type { Random } from '../../robustness/random.ts';
import { chance } from '../choices.ts';

/** How often a value is drawn without regard to what its place takes. */
const strangeShare = 0.04;

const strange: readonly JsonValue[] = ['', 'A b', '-', 'é', -1, 0, 65_536, 1.5, true, null, [], {}, 'zz', '2147483648'];

const words: readonly string[] = ['x', 'y', 'z'];

/** Texts for fields whose names say what they take, by the first pattern that fits. */
const byName: readonly (readonly [RegExp, readonly JsonValue[]])[] = [
  [/^(?:image)$/, ['nginx', 'nginx:1.19', 'busybox:latest', 'example.com/a@sha256:00']],
  [/^apiVersion$/, ['v1', 'apps/v1']],
  [/^apiGroups?$/, ['', 'apps', 'rbac.authorization.k8s.io']],
  [/^kind$/, ['ConfigMap', 'Deployment', 'ServiceAccount', 'User', 'Group', 'Managed', 'Dedicated']],
  [/^(?:verbs)$/, ['get', 'list', '*', 'watch']],
  [/^(?:resources?)$/, ['pods', 'pods/log', 'limits.cpu', 'requests.memory']],
  [/^nonResourceURLs$/, ['/healthz', '/*', 'x']],
  [/^(?:fieldPath)$/, ['metadata.name', 'metadata.labels', 'spec.nodeName', 'status.podIP']],
  [/^(?:schedule)$/, ['* * * * *', '*/5 1 * * *', '@daily', '60 * * * *']],
  [/^(?:mountPath|path|workingDir|hostPath)$/, ['/a', '/b', 'a/b', '/a/../b']],
  [/^(?:host|hostname|hosts|externalName|hostnames)$/, ['a.example.com', '*.example.com', 'h', 'A']],
  [/^(?:cidrs?|podCIDRs?|loadBalancerSourceRanges|except)$/, ['10.1.0.0/16', '10.0.0.0/8', 'fd00::/64']],
  [/(?:IP|IPs|ip|^nameservers|^addresses)$/, ['1.2.3.4', '5.6.7.8', 'fd00::1', 'x']],
  [/^(?:key)$/, ['k1', 'k2', 'example.com/k', 'zone']],
  [/^topologyKey$/, ['zone', 'host']],
  [/^conditionType$|^type$/, ['Ready', 'Available', 'Complete', 'example.com/c']],
  [/^reason$/, ['R1', 'R2']],
  [/^effect$/, ['NoSchedule', 'NoExecute', 'PreferNoSchedule']],
  [/^status$/, ['True', 'False', 'Unknown']],
  [/^accessModes$/, ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany']],
  [/^finalizers$/, ['example.com/a', 'kubernetes']],
  [/^(?:uid)$/, ['u-1', 'u-2']],
  [/^usages$/, ['client auth', 'server auth', 'digital signature']],
  [/^namespace$/, ['{{ns}}', 'default']],
  [/[uU]rl$|^server$/, ['https://example.com/x']],
  [/^(?:scopes|scopeName)$/, ['BestEffort', 'NotTerminating', 'PriorityClass']],
  [/^preemptionPolicy$/, ['PreemptLowerPriority', 'Never']],
  [/[pP]olicy$/, ['Retain', 'Delete', 'Always', 'Local']],
  [/^serviceAccountName$|^schedulerName$/, ['default', 'x']],
  [/name$|Name$|^names$/, ['a', 'b', 'c', 'a.b']],
];

const byFormat: Readonly<Partial<Record<StringFormat, readonly JsonValue[]>>> = {
  ip: ['1.2.3.4', 'fd00::1', '256.0.0.1'],
  cidr: ['10.0.0.0/8', 'fd00::/64', '10.0.0.1'],
  uri: ['https://example.com', 'http://example.com/x'],
  'port-name': ['http', 'web', 'dns'],
  'label-key': ['k1', 'example.com/k'],
  'config-key': ['k1', 'k.2'],
};

const byType: Readonly<Record<ScalarType, readonly JsonValue[]>> = {
  string: words,
  int32: [0, 1, 2, 5, 30, 80, 443, 8080],
  int64: [0, 1, 2, 5, 30, 1000],
  uint32: [0, 1, 2],
  uint64: [0, 1, 2],
  double: [0, 1, 0.5],
  bool: [true, false],
  bytes: ['AAEC', '', 'aGk='],
  time: ['2020-01-01T00:00:00Z', '2020-01-01T02:00:00+02:00', null],
  microTime: ['2020-01-01T00:00:00.000000Z', '2020-01-01T00:00:00.5Z', '2020-01-01T00:00:00.123456Z'],
  duration: ['1h0m0s', '30s'],
  quantity: ['1', '1000m', '0.5', '500m', '1Gi', '1024Mi', '1e3', '1k', '0', '1.5Gi', '100M', '12.5m', '+3', 2],
  intOrString: [0, 1, 2, '25%', '50%', '100%', 'http', 8080],
  any: [{}, { a: 1 }, { b: ['x'] }],
  fieldsV1: [{}],
};

/** A value for a scalar field, usually one that its schema and its name allow. */
export function randomScalar(random: Random, schema: ScalarSchema, name: string): JsonValue {
  if (chance(random, strangeShare)) return random.pick(strange);
  if (schema.enum && !chance(random, strangeShare)) return random.pick(schema.enum);
  return random.pick(valuesFor(schema, name));
}

function valuesFor(schema: ScalarSchema, name: string): readonly JsonValue[] {
  const fixed = schema.format && byFormat[schema.format];
  if (fixed) return fixed;
  const named = schema.type === 'string' ? byName.find(([pattern]) => pattern.test(name))?.[1] : undefined;
  return named ?? byType[schema.type];
}
