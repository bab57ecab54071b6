import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const spec = (change: JsonObject): JsonObject => ({ spec: change });
const policy = (rule: JsonObject): JsonObject => spec({ ingress: [rule] });
const metric = (change: JsonObject): JsonObject => spec({ metrics: [change] });
const rolling = (rollingUpdate: JsonObject): JsonObject => ({ type: 'RollingUpdate', rollingUpdate });
const template = (labels: JsonObject, restartPolicy = 'Always'): JsonObject => ({
  metadata: { labels },
  spec: { restartPolicy },
});
const path = (rest: JsonObject): JsonObject => spec({ rules: [{ http: { paths: [rest] } }] });
const backend = { service: { name: 's', port: { number: 80 } } };
const role = (rule: JsonObject): JsonObject => ({ rules: [rule] });
const report = {
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'a',
  reportingInstance: 'b',
  action: 'c',
  reason: 'd',
  type: 'Normal',
};
const qualifiedName =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const creations: readonly Creation[] = [
  [
    'services',
    'a node port without nodes',
    spec({ ports: [{ port: 80, protocol: 'TCP', nodePort: 30_000 }] }),
    ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
  ],
  [
    'services',
    'an address of the machine itself',
    spec({ externalIPs: ['127.0.0.1'] }),
    ['spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ],
  [
    'services',
    'sources without a load balancer',
    spec({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    ["spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'"],
  ],
  [
    'services',
    'two addresses of a family',
    spec({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', '10.0.0.2'] }),
    ['spec.clusterIPs: Invalid value: ["10.0.0.1","10.0.0.2"]: may specify no more than one IP for each IP family'],
  ],
  [
    'services',
    'a policy for traffic that does not come',
    spec({ externalTrafficPolicy: 'Local' }),
    [
      'spec.externalTrafficPolicy: Invalid value: "Local": ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service',
    ],
  ],
  [
    'deployments',
    'a selector of all pods',
    spec({ selector: { matchLabels: null } }),
    ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
  ],
  [
    'deployments',
    'an update that stands still',
    spec({ strategy: rolling({ maxSurge: 0, maxUnavailable: 0 }) }),
    ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0'],
  ],
  [
    'deployments',
    'more than all',
    spec({ strategy: rolling({ maxSurge: 1, maxUnavailable: '120%' }) }),
    ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "120%": must not be greater than 100%'],
  ],
  [
    'daemonsets',
    'an update that stands still',
    spec({ updateStrategy: rolling({ maxSurge: 0, maxUnavailable: 0 }) }),
    ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'],
  ],
  [
    'persistentvolumeclaims',
    'no room at all',
    spec({ resources: { requests: { storage: '0' } } }),
    ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  ],
  [
    'persistentvolumes',
    'something besides room',
    spec({ capacity: { storage: null, cpu: '1' } }),
    ['spec.capacity: Unsupported value: {"cpu":"1"}: supported values: "storage"'],
  ],
  [
    'networkpolicies',
    'an exception that is none',
    policy({ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] }),
    ['spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`'],
  ],
  [
    'networkpolicies',
    'ports that end before they begin',
    policy({ ports: [{ port: 10, endPort: 5 }] }),
    ['spec.ingress[0].ports[0].endPort: Invalid value: 5: must be greater than or equal to `port`'],
  ],
  [
    'resourcequotas',
    'half a pod',
    spec({ hard: { pods: '500m' } }),
    ['spec.hard[pods]: Invalid value: "500m": must be an integer'],
  ],
  [
    'resourcequotas',
    'scopes of no pod',
    spec({ hard: { pods: '1' }, scopes: ['Terminating', 'NotTerminating'] }),
    ['spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes'],
  ],
  [
    'resourcequotas',
    'room on disks of pods that end',
    spec({ hard: { 'requests.storage': '1Gi', 'count/deployments.apps': '3' }, scopes: ['Terminating'] }),
    ['spec.scopes: Invalid value: ["Terminating"]: unsupported scope applied to resource'],
  ],
  [
    'horizontalpodautoscalers',
    'a metric without a name',
    metric({ type: 'Pods', pods: { metric: {}, target: { type: 'AverageValue', averageValue: '1' } } }),
    ['spec.metrics[0].pods.metric.name: Required value: must specify a metric name'],
  ],
  [
    'horizontalpodautoscalers',
    'a metric without a name behind that of the CPU, which would be stored last',
    spec({
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        { type: 'Pods', pods: { metric: {}, target: { type: 'AverageValue', averageValue: '1' } } },
      ],
    }),
    ['spec.metrics[1].pods.metric.name: Required value: must specify a metric name'],
  ],
  [
    'horizontalpodautoscalers',
    'a target of nothing',
    metric({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }),
    [
      'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
    ],
  ],
  [
    'limitranges',
    'a default of a pod',
    spec({ limits: [{ type: 'Pod', default: { cpu: '1' } }] }),
    ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"],
  ],
  [
    'poddisruptionbudgets',
    'more than all',
    spec({ minAvailable: '101%' }),
    ['spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
  ],
  [
    'endpoints',
    'an address that every machine has',
    { subsets: [{ addresses: [{ ip: '169.254.1.1' }] }] },
    [
      'subsets[0].addresses[0].ip: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    ],
  ],
  [
    'deployments',
    'pods that end',
    spec({ template: template({}, 'Never') }),
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
  [
    'cronjobs',
    'a name too long for its Jobs',
    {
      metadata: { name: 'a'.repeat(53) },
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: template({}, 'Never') } } },
    },
    [
      'metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 52 characters',
    ],
  ],
  [
    'ingresses',
    'no target',
    spec({ defaultBackend: null }),
    ['spec: Invalid value: []: either `defaultBackend` or `rules` must be specified'],
  ],
  ['ingresses', 'an exact path', path({ path: '/a', pathType: 'Exact', backend }), []],
  [
    'ingresses',
    'an ambiguous path',
    path({ path: '/a/../b', pathType: 'Prefix', backend }),
    [`spec.rules[0].http.paths[0].path: Invalid value: "/a/../b": must not contain '/../'`],
  ],
  ['ingresses', 'no path where none is needed', path({ pathType: 'ImplementationSpecific', backend }), []],
  [
    'ingresses',
    'no type of a path',
    path({ path: '/', backend }),
    ['spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified'],
  ],
  [
    'ingresses',
    'two backends in one',
    path({ path: '/', pathType: 'Exact', backend: { ...backend, resource: { kind: 'K', name: 'n' } } }),
    ['spec.rules[0].http.paths[0].backend: Invalid value: "": cannot set both resource and service backends'],
  ],
  [
    'ingresses',
    'two classes',
    { metadata: { annotations: { 'kubernetes.io/ingress.class': 'a' } }, ...spec({ ingressClassName: 'b' }) },
    ['annotations.kubernetes.io/ingress.class: Invalid value: "a": can not be set when the class field is also set'],
  ],
  [
    'ingressclasses',
    'no domain',
    spec({ controller: 'none' }),
    ['spec.controller: Invalid value: "none": must be a domain-prefixed path (such as "acme.io/foo")'],
  ],
  [
    'configmaps',
    'a key twice',
    { data: { a: 'x' }, binaryData: { a: 'eA==' } },
    ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  ],
  ['services', 'no ports', spec({ ports: null }), ['spec.ports: Required value']],
  ['services', 'no ports and no address', spec({ ports: null, clusterIP: 'None', clusterIPs: ['None'] }), []],
  [
    'services',
    'two ports without names',
    spec({ ports: [{ port: 1 }, { port: 2 }] }),
    ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
  ],
  [
    'endpoints',
    'no addresses',
    { subsets: [{ ports: [] }] },
    ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
  ],
  [
    'roles',
    'paths',
    role({ verbs: ['get'], nonResourceURLs: ['/x'] }),
    ['rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs'],
  ],
  ['clusterroles', 'paths', role({ verbs: ['get'], nonResourceURLs: ['/x'] }), []],
  [
    'events',
    'an object in another namespace',
    { involvedObject: { namespace: 'b' } },
    ['involvedObject.namespace: Invalid value: "b": does not match event.namespace'],
  ],
  [
    'events',
    'a time of the newer form, and nothing else of it',
    { eventTime: '2026-01-01T00:00:00.000000Z' },
    [
      'reportingController: Required value',
      'reportingController: Invalid value: "": name part must be non-empty',
      `reportingController: Invalid value: "": ${qualifiedName}`,
      'reportingInstance: Required value',
      'action: Required value',
      'reason: Required value',
    ],
  ],
  [
    'leases',
    'no time',
    spec({ leaseDurationSeconds: 0 }),
    ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
  ],
  [
    'horizontalpodautoscalers',
    'bounds in the wrong order',
    spec({ minReplicas: 3, maxReplicas: 2, scaleTargetRef: { kind: 'D', name: 'd' } }),
    ['spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`'],
  ],
  [
    'poddisruptionbudgets',
    'both bounds',
    spec({ minAvailable: 1, maxUnavailable: 1 }),
    ['spec: Invalid value: {"minAvailable":1,"maxUnavailable":1}: minAvailable and maxUnavailable cannot be both set'],
  ],
  [
    'apiservices',
    'another name',
    {
      metadata: { name: 'x' },
      spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    },
    ['metadata.name: Invalid value: "x": must be `spec.version+"."+spec.group`: "v1.example.com"'],
  ],
  [
    'deployments',
    'no selector',
    spec({ selector: null }),
    [
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ],
  ],
  [
    'deployments',
    'a selector that cannot be read',
    spec({ selector: { matchExpressions: [{ key: 'a', operator: 'X' }] } }),
    [
      'spec.selector.matchExpressions[0].operator: Invalid value: "X": not a valid selector operator',
      'spec.selector: Invalid value: {"matchLabels":{"app":"a"},"matchExpressions":[{"key":"a","operator":"X"}]}: invalid label selector',
    ],
  ],
  [
    'deployments',
    'an unknown strategy',
    spec({ strategy: { type: 'X' } }),
    ['spec.strategy: Unsupported value: {"type":"X"}: supported values: "Recreate", "RollingUpdate"'],
  ],
  [
    'daemonsets',
    'an unknown strategy',
    spec({ updateStrategy: { type: 'X' } }),
    ['spec.updateStrategy: Unsupported value: {"type":"X"}: supported values: "RollingUpdate", "OnDelete"'],
  ],
  [
    'statefulsets',
    'an unknown strategy and policy',
    spec({ updateStrategy: { type: 'X' }, podManagementPolicy: 'Y' }),
    [
      `spec.podManagementPolicy: Invalid value: "Y": must be 'OrderedReady' or 'Parallel'`,
      `spec.updateStrategy: Invalid value: {"type":"X"}: must be 'RollingUpdate' or 'OnDelete'`,
    ],
  ],
  [
    'jobs',
    'a selector of its own that is missing',
    spec({ manualSelector: true }),
    [
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ],
  ],
  [
    'services',
    'an unknown policy',
    spec({ type: 'NodePort', externalTrafficPolicy: 'X' }),
    ['spec.externalTrafficPolicy: Invalid value: "X": ExternalTrafficPolicy must be empty, Cluster or Local'],
  ],
  [
    'services',
    'ranges that are addresses',
    spec({ type: 'LoadBalancer', loadBalancerSourceRanges: ['10.1.2.3'] }),
    [
      'spec.LoadBalancerSourceRanges: Invalid value: ["10.1.2.3"]: must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
    ],
  ],
  [
    'services',
    'one family twice',
    spec({ ipFamilies: ['IPv4', 'IPv4'] }),
    ['spec.ipFamilies[1]: Duplicate value: "IPv4"'],
  ],
  [
    'namespaces',
    'a finalizer of nobody',
    spec({ finalizers: ['mine'] }),
    ['spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified'],
  ],
  [
    'runtimeclasses',
    'no handler',
    { handler: null },
    [
      `handler: Invalid value: "": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
    ],
  ],
  ['csidrivers', 'an invalid name', { metadata: { name: 'A_' } }, [`metadata.name: Invalid value: "A_": ${subdomain}`]],
  [
    'endpointslices',
    'unknown addresses',
    { addressType: 'X', endpoints: [{ addresses: [] }] },
    [
      'addressType: Unsupported value: "X": supported values: "FQDN", "IPv4", "IPv6"',
      'endpoints[0].addresses: Required value: must contain at least 1 address',
    ],
  ],
  [
    'resourcequotas',
    'a scope with an unknown operator',
    {
      spec: {
        hard: { pods: '1' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'X' }] },
      },
    },
    ['spec.scopeSelector.matchExpressions.operator: Invalid value: "X": not a valid selector operator'],
  ],
  [
    'events@events.k8s.io/v1',
    'nothing to say',
    { eventTime: null, regarding: { namespace: 'default' } },
    ['eventTime: Required value', 'type: Invalid value: "": has invalid value: '],
  ],
  [
    'events@events.k8s.io/v1',
    'fields of the older form',
    {
      ...report,
      regarding: { namespace: 'elsewhere' },
      deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
      deprecatedCount: 2,
      deprecatedSource: { component: 'a' },
      series: { count: 1 },
    },
    [
      'series.count: Invalid value: "": should be at least 2',
      'series.lastObservedTime: Required value',
      'firstTimestamp: Invalid value: "": needs to be unset',
      'count: Invalid value: "": needs to be unset',
      'source: Invalid value: "": needs to be unset',
    ],
  ],
  [
    'limitranges',
    'a limit of nothing',
    spec({ limits: [{ max: { cpu: '1' } }] }),
    [
      'spec.limits[0].type: Invalid value: "": name part must be non-empty',
      `spec.limits[0].type: Invalid value: "": ${qualifiedName}`,
    ],
  ],
  [
    'configmaps',
    'finalizers, their forms first',
    { metadata: { name: 'x', finalizers: ['mine', 'a b/c'] } },
    [
      `metadata.finalizers: Invalid value: "a b/c": prefix part ${subdomain}`,
      'metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ],
  ],
  [
    'roles',
    'an invalid base of names',
    { metadata: { generateName: '.' } },
    [`metadata.generateName: Invalid value: ".": may not be '.'`],
  ],
  [
    'events@events.k8s.io/v1',
    'an invalid base of names',
    { metadata: { name: 'x', generateName: "a'b" }, ...report, regarding: { namespace: 'elsewhere' } },
    [`metadata.generateName: Invalid value: "a'b": ${subdomain}`],
  ],
  [
    'configmaps',
    'a label before a resourceVersion',
    { metadata: { name: 'x', resourceVersion: '5', labels: { 'a b': '' } } },
    [`metadata.labels: Invalid value: "a b": ${qualifiedName}`],
  ],
  [
    'configmaps',
    'a negative generation',
    { metadata: { name: 'x', generation: -1 } },
    ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'statefulsets',
    'pods and claims whose content is not checked',
    spec({
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'A_' }] } },
      volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: {} }],
    }),
    [],
  ],
];

const immutable = 'field is immutable when `immutable` is set';

const updates: readonly Update[] = [
  [
    'deployments',
    'its selector',
    {},
    spec({ selector: { matchLabels: { app: 'c' } }, template: template({ app: 'c' }) }),
    ['spec.selector: Invalid value: {"matchLabels":{"app":"c"}}: field is immutable'],
  ],
  ['statefulsets', 'its size', spec({ replicas: 1 }), spec({ replicas: 2 }), []],
  ['controllerrevisions', 'its data', {}, { data: { a: 2 } }, ['data: Invalid value: {"a":2}: field is immutable']],
  [
    'configmaps',
    'a key that is not valid, though it is immutable',
    { immutable: true },
    { data: { '..': 'x' } },
    [`data[..]: Invalid value: "..": must not be '..'`, `data: Forbidden: ${immutable}`],
  ],
  [
    'secrets',
    'its type and a key that is not valid, though it is immutable',
    { immutable: true },
    { type: 'other', data: { '..': 'eA==' } },
    [
      `data[..]: Invalid value: "..": must not be '..'`,
      'type: Invalid value: "other": field is immutable',
      `data: Forbidden: ${immutable}`,
    ],
  ],
  ['persistentvolumeclaims', 'its volume, once found', {}, spec({ volumeName: 'v' }), []],
  [
    'events@events.k8s.io/v1',
    'its series',
    report,
    { series: { count: 3, lastObservedTime: '2026-01-01T00:00:00.000000Z' } },
    [],
  ],
  [
    'events@events.k8s.io/v1',
    'an invalid series',
    report,
    { series: { count: 1 } },
    ['series.count: Invalid value: "": should be at least 2', 'series.lastObservedTime: Required value'],
  ],
  [
    'events@events.k8s.io/v1',
    'what was reported',
    report,
    { note: 'n', reportingController: 'z' },
    ['message: Invalid value: "n": field is immutable', 'reportingController: Invalid value: "z": field is immutable'],
  ],
  ['events', 'what was reported', { ...report, eventTime: null }, { message: 'n' }, []],
];

checkRefusals('single kinds', creations, updates);
