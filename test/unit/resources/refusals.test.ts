import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { builtInCatalogue } from '../../../src/resources/definitions.ts';
import { context } from './context.ts';

const { resources } = builtInCatalogue(identifiersOf('kubernetes')).current;

const service = (spec: JsonObject): JsonObject => ({
  spec: { type: 'ClusterIP', ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }], ...spec },
});
const claim = (spec: JsonObject): JsonObject => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const volume = (spec: JsonObject): JsonObject => ({
  spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' }, ...spec },
});
const workload = (spec: JsonObject): JsonObject => ({
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: { restartPolicy: 'Always', containers: [{ name: 'c', image: 'i' }] },
    },
    ...spec,
  },
});
const policy = (rule: JsonObject): JsonObject => ({ spec: { podSelector: {}, ingress: [rule] } });
const quota = (spec: JsonObject): JsonObject => ({ spec });
const autoscaler = (metric: JsonObject): JsonObject => ({
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 2, metrics: [metric] },
});
const rolling = (rollingUpdate: JsonObject): JsonObject => ({ type: 'RollingUpdate', rollingUpdate });
const rollingPath = 'rollingUpdate.maxUnavailable';

/** What kube-apiserver refuses, and how it says so: the kind, what is wrong, the object, and the one error. */
const refused: readonly (readonly [resource: string, what: string, object: JsonObject, error: string])[] = [
  [
    'services',
    'a node port without nodes',
    service({ ports: [{ port: 80, protocol: 'TCP', nodePort: 30_000 }] }),
    "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
  ],
  [
    'services',
    'an address of the machine itself',
    service({ externalIPs: ['127.0.0.1'] }),
    'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  [
    'services',
    'sources without a load balancer',
    service({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
  ],
  [
    'services',
    'two addresses of a family',
    service({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', '10.0.0.2'] }),
    'spec.clusterIPs: Invalid value: []string{"10.0.0.1", "10.0.0.2"}: may specify no more than one IP for each IP family',
  ],
  [
    'services',
    'a policy for traffic that does not come',
    service({ externalTrafficPolicy: 'Local' }),
    'spec.externalTrafficPolicy: Invalid value: "Local": ' +
      'ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service',
  ],
  [
    'deployments',
    'labels that its selector does not select',
    workload({ selector: { matchLabels: { a: 'c' } } }),
    'spec.template.metadata.labels: Invalid value: map[string]string{"a":"b"}: `selector` does not match template `labels`',
  ],
  [
    'deployments',
    'a selector of all pods',
    workload({ selector: {} }),
    'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), ' +
      'MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for deployment',
  ],
  [
    'deployments',
    'an update that stands still',
    workload({ strategy: rolling({ maxSurge: 0, maxUnavailable: 0 }) }),
    `spec.strategy.${rollingPath}: Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: ` +
      'may not be 0 when `maxSurge` is 0',
  ],
  [
    'deployments',
    'more than all',
    workload({ strategy: rolling({ maxSurge: 1, maxUnavailable: '120%' }) }),
    `spec.strategy.${rollingPath}: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"120%"}: ` +
      'must not be greater than 100%',
  ],
  [
    'daemonsets',
    'an update that stands still',
    workload({ updateStrategy: rolling({ maxSurge: 0, maxUnavailable: 0 }) }),
    `spec.updateStrategy.${rollingPath}: Required value: cannot be 0 when maxSurge is 0`,
  ],
  [
    'persistentvolumeclaims',
    'no room at all',
    claim({ resources: { requests: { storage: '0' } } }),
    'spec.resources[storage]: Invalid value: "0": must be greater than zero',
  ],
  [
    'persistentvolumes',
    'something besides room',
    volume({ capacity: { cpu: '1' } }),
    'spec.capacity: Unsupported value: {"cpu":"1"}: supported values: "storage"',
  ],
  [
    'persistentvolumes',
    'a disk of nobody knows which node',
    { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, local: { path: '/a' } } },
    'spec.nodeAffinity: Required value: Local volume requires node affinity',
  ],
  [
    'networkpolicies',
    'an exception that is none',
    policy({ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] }),
    'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
  ],
  [
    'networkpolicies',
    'ports that end before they begin',
    policy({ ports: [{ port: 10, endPort: 5 }] }),
    'spec.ingress[0].ports[0].endPort: Invalid value: 5: must be greater than or equal to `port`',
  ],
  [
    'resourcequotas',
    'half a pod',
    quota({ hard: { pods: '500m' } }),
    'spec.hard[pods]: Invalid value: "500m": must be an integer',
  ],
  [
    'resourcequotas',
    'scopes of no pod',
    quota({ hard: { pods: '1' }, scopes: ['Terminating', 'NotTerminating'] }),
    'spec.scopes: Invalid value: []core.ResourceQuotaScope{"Terminating", "NotTerminating"}: conflicting scopes',
  ],
  [
    'resourcequotas',
    'room on disks of pods that end',
    quota({ hard: { 'requests.storage': '1Gi', 'count/deployments.apps': '3' }, scopes: ['Terminating'] }),
    'spec.scopes: Invalid value: []core.ResourceQuotaScope{"Terminating"}: unsupported scope applied to resource',
  ],
  [
    'horizontalpodautoscalers',
    'a metric without a name',
    autoscaler({ type: 'Pods', pods: { metric: {}, target: { type: 'AverageValue', averageValue: '1' } } }),
    'spec.metrics[0].pods.metric.name: Required value: must specify a metric name',
  ],
  [
    'horizontalpodautoscalers',
    'a target of nothing',
    autoscaler({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }),
    'spec.metrics[0].resource.target.averageUtilization: ' +
      'Required value: must set either a target raw value or a target utilization',
  ],
  [
    'limitranges',
    'a default of a pod',
    { spec: { limits: [{ type: 'Pod', default: { cpu: '1' } }] } },
    "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
  ],
  [
    'poddisruptionbudgets',
    'more than all',
    { spec: { minAvailable: '101%' } },
    'spec.minAvailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
  ],
  [
    'endpoints',
    'an address that every machine has',
    { subsets: [{ addresses: [{ ip: '169.254.1.1' }] }] },
    'subsets[0].addresses[0].ip: Invalid value: "169.254.1.1": ' +
      'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  ],
];

describe('what kube-apiserver refuses', () => {
  it('is no quota of what others count', () => {
    const definition = resources.find(({ resource }) => resource === 'resourcequotas');
    const object = quota({ hard: { pods: '1', 'count/deployments.apps': '3' }, scopes: ['NotTerminating'] });
    assert.deepEqual(definition?.strategy.validate?.(object, context), []);
  });

  for (const [resource, what, object, expected] of refused) {
    it(`${resource} with ${what}`, () => {
      const definition = resources.find((candidate) => candidate.resource === resource);
      const errors = definition?.strategy.validate?.(object, context) ?? [];
      assert.deepEqual(
        errors.map(({ field, message }) => `${field}: ${message}`),
        [expected],
      );
    });
  }
});
