import assert from 'node:assert/strict';
import { FlowControl } from '../../../src/flowcontrol/flow-control.ts';
import { createFlowMetrics } from '../../../src/flowcontrol/flow-metrics.ts';
import { compileFlowSchema } from '../../../src/flowcontrol/flow-schema.ts';
import { readLevelSettings } from '../../../src/flowcontrol/level-settings.ts';
import type { RequestDigest } from '../../../src/flowcontrol/shuffle-shard.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import {
  defaultFlowSchemas,
  defaultPriorityLevels,
} from '../../../src/resources/flowcontrol/default-priority-levels.ts';

const identifiers = identifiersOf('kubernetes');

function defaultFlowControl(): FlowControl {
  const control = new FlowControl({ seats: 600, metrics: createFlowMetrics(new MetricsRegistry()), now: () => 0 });
  control.configure(
    defaultFlowSchemas(identifiers, '1.23').map(({ object }) => compileFlowSchema(object)),
    defaultPriorityLevels(identifiers, '1.23').map(({ object }) => readLevelSettings(object)),
  );
  return control;
}

/** A request as `user[,group...] verb group/resource [namespace]`, or `user verb /path`. */
function digest(text: string): RequestDigest {
  const [who = '', verb = '', what = '', namespace = ''] = text.split(' ');
  const [username = '', ...groups] = who.split(',');
  const user = { username, uid: '', groups: [...groups, 'system:authenticated'], extra: {} };
  if (what.startsWith('/')) {
    return { user, verb, resourceRequest: false, apiGroup: '', resource: '', namespace: '', path: what };
  }
  const slash = what.indexOf(':');
  return {
    user,
    verb,
    resourceRequest: true,
    apiGroup: slash < 0 ? '' : what.slice(0, slash),
    resource: what.slice(slash + 1),
    namespace,
    path: '',
  };
}

const accounts = 'system:serviceaccounts';
const inSystem = 'system:serviceaccount:kube-system';
const rows: Readonly<Record<string, string>> = {
  'admin,system:masters list pods ns': 'exempt/exempt',
  'admin,system:masters get /readyz': 'exempt/exempt',
  'ann get /healthz': 'probes/exempt',
  'ann get /healthz/etcd': 'global-default/global-default',
  'ann list pods ns': 'global-default/global-default',
  'ann get /version': 'global-default/global-default',
  'system:kube-scheduler update coordination.k8s.io:leases kube-system': 'system-leader-election/leader-election',
  'system:kube-scheduler update endpoints kube-system': 'system-leader-election/leader-election',
  'system:kube-scheduler update endpoints ns': 'kube-scheduler/workload-high',
  'system:kube-scheduler create pods/binding ns': 'kube-scheduler/workload-high',
  'system:kube-controller-manager update endpoints ns': 'endpoint-controller/workload-high',
  'system:kube-controller-manager list pods': 'kube-controller-manager/workload-high',
  [`${inSystem}:dns,${accounts} update configmaps ns`]: 'workload-leader-election/leader-election',
  [`${inSystem}:dns,${accounts} list configmaps ns`]: 'kube-system-service-accounts/workload-high',
  [`system:serviceaccount:ns:app,${accounts} list configmaps ns`]: 'service-accounts/workload-low',
  'system:node:a,system:nodes patch nodes/status': 'system-node-high/node-high',
  'system:node:a,system:nodes update coordination.k8s.io:leases kube-node-lease': 'system-node-high/node-high',
  'system:node:a,system:nodes list pods': 'system-nodes/system',
};

describe('the default flow schemas', () => {
  const control = defaultFlowControl();
  for (const [request, expected] of Object.entries(rows)) {
    it(`put "${request}" into ${expected}`, () => {
      const flow = control.classify(digest(request));
      assert.equal(`${flow?.schema.name}/${flow?.level.settings.name}`, expected);
    });
  }

  it('give each level its part of 600 seats, as Kubernetes 1.23 does', () => {
    const limits = control.levels.map(({ settings, limit }) => [settings.name, limit]);
    assert.deepEqual(Object.fromEntries(limits), {
      exempt: 0,
      'catch-all': 13,
      'global-default': 49,
      'leader-election': 25,
      'node-high': 98,
      system: 74,
      'workload-high': 98,
      'workload-low': 245,
    });
  });
});
