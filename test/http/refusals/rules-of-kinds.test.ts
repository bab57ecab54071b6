import assert from 'node:assert/strict';
import { type Fixture, type Received, startFixture } from '../../unit/api/fixture.ts';

const merge = 'application/merge-patch+json';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';
const services = '/api/v1/namespaces/default/services';
const autoscalers = (version: string) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;

const template = (restartPolicy: string, labels: object | undefined = { app: 'x' }) => ({
  metadata: { labels },
  spec: { restartPolicy, containers: [{ name: 'c', image: 'i:1' }] },
});
const workload = { selector: { matchLabels: { app: 'x' } }, template: template('Always') };

/** What clients of kube-apiserver see of the rules that single kinds have. */
describe('rules of kinds', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await startFixture();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const post = async (path: string, metadata: object, rest: object): Promise<Received> =>
    fixture.send({ method: 'POST', path, body: { metadata, ...rest } });
  const patch = (path: string, body: object): Promise<Received> =>
    fixture.send({ method: 'PATCH', path, body, type: merge });
  const causes = (response: Received) =>
    // Every refusal of an object lists its causes.
    (response.at('details.causes') as { field: string; message: string }[]).map(({ field, message }) => [
      field,
      message,
    ]);

  it('takes the status of a VolumeAttachment with the object where it is no sub-resource', async () => {
    const path = (version: string) => `/apis/storage.k8s.io/${version}/volumeattachments`;
    const spec = { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } };
    const attached = { status: { attached: true } };
    const beta = await post(path('v1beta1'), { name: 'b' }, { spec, ...attached });
    assert.equal(beta.at('status.attached'), true);
    const detached = await patch(`${path('v1beta1')}/b`, { status: { attached: false } });
    assert.equal(detached.at('status.attached'), false);
    const stable = await post(path('v1'), { name: 's' }, { spec, ...attached });
    assert.equal(stable.at('status.attached'), false);
    const kept = await patch(`${path('v1')}/s`, attached);
    assert.equal(kept.at('status.attached'), false);
    const managed = JSON.stringify(beta.at('metadata.managedFields'));
    assert.match(managed, /"f:status"/);
  });

  it('keeps the generation where an amount is only written in another unit', async () => {
    const spec = (memory: string) => {
      const resources = { limits: { memory } };
      const containers = [{ name: 'c', image: 'i:1', resources }];
      return { ...workload, template: { ...template('Always'), spec: { containers } } };
    };
    await post(deployments, { name: 'd' }, { spec: spec('1Gi') });
    const same = await patch(`${deployments}/d`, { spec: spec('1073741824') });
    assert.equal(same.at('spec.template.spec.containers.0.resources.limits.memory'), '1073741824');
    assert.equal(same.at('metadata.generation'), 1);
    const other = await patch(`${deployments}/d`, { spec: spec('1073741825') });
    assert.equal(other.at('metadata.generation'), 2);
  });

  it('increments the generation of a Deployment when its annotations change, and of no other workload', async () => {
    await post(deployments, { name: 'd' }, { spec: workload });
    const generation = async (path: string, body: object) => (await patch(path, body)).at('metadata.generation');
    assert.equal(await generation(`${deployments}/d`, { metadata: { annotations: { a: 'b' } } }), 2);
    assert.equal(await generation(`${deployments}/d`, { metadata: { labels: { a: 'b' } } }), 2);
    assert.equal(await generation(`${deployments}/d/status`, { metadata: { annotations: { a: 'c' } } }), 2);
    assert.equal(await generation(`${deployments}/d`, { metadata: { annotations: null } }), 3);
    for (const resource of ['daemonsets', 'replicasets', 'statefulsets']) {
      const path = `/apis/apps/v1/namespaces/default/${resource}`;
      await post(path, { name: 'w' }, { spec: workload });
      assert.equal(await generation(`${path}/w`, { metadata: { annotations: { a: 'b' } } }), 1, resource);
    }
  });

  it('gives the template of a CronJob defaults of its pods, and none of a Job', async () => {
    const jobTemplate = { spec: { template: template('Never') } };
    const made = await post(cronJobs, { name: 'c' }, { spec: { schedule: '* * * * *', jobTemplate } });
    assert.deepEqual(Object.keys(made.at('spec.jobTemplate.spec') as object), ['template']);
    assert.equal(made.at('spec.jobTemplate.spec.template.spec.dnsPolicy'), 'ClusterFirst');
  });

  it('gives a Job its own defaults', async () => {
    const made = await post(jobs, { name: 'j' }, { spec: { template: template('Never') } });
    const spec = made.at('spec') as Record<string, unknown>;
    assert.deepEqual(
      ['parallelism', 'completions', 'backoffLimit', 'completionMode', 'suspend'].map((name) => spec[name]),
      [1, 1, 6, 'NonIndexed', false],
    );
  });

  it('labels a Job without labels as its pods, with what is added to select them', async () => {
    const plain = await post(jobs, { name: 'plain' }, { spec: { template: template('Never') } });
    const added = { 'controller-uid': plain.at('metadata.uid'), 'job-name': 'plain' };
    assert.deepEqual(plain.at('metadata.labels'), { app: 'x', ...added });
    assert.deepEqual(plain.at('spec.template.metadata.labels'), { app: 'x', ...added });
    const owned = await patch(`${jobs}/plain`, { metadata: { labels: { app: 'y' } } });
    assert.deepEqual(owned.at('spec.template.metadata.labels'), { app: 'x', ...added });

    const bare = await post(jobs, { name: 'bare' }, { spec: { template: template('Never', {}) } });
    assert.deepEqual(bare.at('metadata.labels'), { 'controller-uid': bare.at('metadata.uid'), 'job-name': 'bare' });
    const labelled = await post(jobs, { name: 'own', labels: { app: 'x' } }, { spec: { template: template('Never') } });
    assert.deepEqual(labelled.at('metadata.labels'), { app: 'x' });
  });

  describe('of a Service with several protocols', () => {
    const [web, dns] = [
      { name: 'a', port: 80, protocol: 'TCP' },
      { name: 'b', port: 53, protocol: 'UDP' },
    ];
    const mixed = /may not contain more than 1 protocol when type is 'LoadBalancer'$/;

    it('refuses a new load balancer, after all else that is wrong', async () => {
      const ports = [web, dns, { name: 'c', port: 80, protocol: 'TCP' }];
      const refused = await post(services, { name: 's' }, { spec: { type: 'LoadBalancer', ports } });
      assert.deepEqual(
        causes(refused).map(([field]) => field),
        ['spec.ports[2]', 'spec.ports'],
      );
    });

    it('lets one that had them become a load balancer, and no other have them', async () => {
      await post(services, { name: 's' }, { spec: { ports: [web, dns] } });
      assert.equal((await patch(`${services}/s`, { spec: { type: 'LoadBalancer' } })).status, 200);
      assert.equal((await patch(`${services}/s`, { spec: { ports: [web] } })).status, 200);
      const refused = await patch(`${services}/s`, { spec: { ports: [web, dns] } });
      assert.match(causes(refused)[0]?.[1] ?? '', mixed);
    });
  });

  it('does not check the selectors by which pods are spread', async () => {
    const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
    const labelSelector = { matchExpressions: [{ key: '-', operator: 'Maybe' }] };
    const spec = { ...template('Always').spec, topologySpreadConstraints: [{ ...constraint, labelSelector }] };
    assert.equal((await post('/api/v1/namespaces/default/pods', { name: 'p' }, { spec })).status, 201);
  });

  describe('of the status of an autoscaler', () => {
    const annotation = 'autoscaling.alpha.kubernetes.io/current-metrics';
    const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } };
    const cpu = (share: number) =>
      JSON.stringify([
        { type: 'Resource', resource: { name: 'cpu', currentAverageUtilization: share, currentAverageValue: '0' } },
      ]);
    const kept = (response: Received) =>
      (response.at('metadata.annotations') as Record<string, string> | undefined)?.[annotation];
    beforeEach(async () => {
      await post(autoscalers('v1'), { name: 'h' }, { spec });
    });

    it('writes the share of CPU of v1 into its annotation too, which is then believed', async () => {
      const status = `${autoscalers('v1')}/h/status`;
      const first = await patch(status, { status: { currentCPUUtilizationPercentage: 50 } });
      assert.deepEqual([kept(first), first.at('status.currentCPUUtilizationPercentage')], [cpu(50), 50]);
      const second = await patch(status, { status: { currentCPUUtilizationPercentage: 60 } });
      assert.equal(second.at('status.currentCPUUtilizationPercentage'), 50);
      const third = await patch(status, {
        metadata: { annotations: null },
        status: { currentCPUUtilizationPercentage: 70 },
      });
      assert.deepEqual([kept(third), third.at('status.currentCPUUtilizationPercentage')], [cpu(70), 70]);
    });

    it('has a value in each current metric, and checks none of them', async () => {
      const currentMetrics = [
        { type: 'Resource', resource: { name: 'memory', current: { averageUtilization: 3 } } },
        { type: 'External', external: { metric: { name: 'e' } } },
        { type: 'Object', object: {} },
      ];
      const patched = await patch(`${autoscalers('v2')}/h/status`, { status: { currentMetrics } });
      assert.deepEqual(
        ['0.resource', '1.external', '2.object'].map((metric) => patched.at(`status.currentMetrics.${metric}.current`)),
        [{ averageUtilization: 3, averageValue: '0' }, { value: '0' }, { value: '0' }],
      );
    });
  });

  it('owns an empty list that is always written, though it is stored as none', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const fieldsOf = (response: Received) => Object.keys(response.at('metadata.managedFields.0.fieldsV1') ?? {});
    const given = await post(roles, { name: 'given' }, { rules: [] });
    assert.deepEqual([given.at('rules'), fieldsOf(given)], [null, ['f:rules']]);
    const path = '/apis/storage.k8s.io/v1/csinodes';
    const node = await post(path, { name: 'n' }, { spec: { drivers: [{ name: 'd', nodeID: 'i' }] } });
    const fields = node.at('metadata.managedFields.0.fieldsV1.f:spec.f:drivers') as Record<string, object>;
    assert.ok('f:topologyKeys' in (fields['k:{"name":"d"}'] ?? {}));
    assert.deepEqual(node.at('spec.drivers'), [{ name: 'd', nodeID: 'i', topologyKeys: null }]);
  });

  it('keeps the first generation of a PriorityClass', async () => {
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    assert.equal((await post(classes, { name: 'c' }, { value: 5 })).at('metadata.generation'), 1);
    assert.equal((await patch(`${classes}/c`, { description: 'x' })).at('metadata.generation'), 1);
    assert.deepEqual(causes(await patch(`${classes}/c`, { value: 6 }))[0]?.[0], 'Value');
  });

  it('names a LimitRange that is given no name with a UUID', async () => {
    const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    for (const metadata of [{}, { generateName: 'g-' }]) {
      const made = await post('/api/v1/namespaces/default/limitranges', metadata, { spec: { limits: [] } });
      assert.match(String(made.at('metadata.name')), uuid);
    }
  });

  describe('about what is wrong', () => {
    const pods = '/api/v1/namespaces/default/pods';
    const fields = (response: Received) =>
      (response.at('details.causes') as { field: string; reason: string }[]).map(
        ({ field, reason }) => `${field} ${reason.replace('FieldValue', '')}`,
      );
    const container = { name: 'c', image: 'i:1' };
    const refusedPod = async (spec: object) => fields(await post(pods, { name: 'q' }, { spec }));

    it('refuses the metadata of a PodDisruptionBudget and its spec at once', async () => {
      const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
      const spec = { minAvailable: 1, maxUnavailable: 1 };
      assert.deepEqual(fields(await post(budgets, { labels: { 'a b': 'c' } }, { spec })), [
        'metadata.name Required',
        'metadata.labels Invalid',
        'spec Invalid',
      ]);
    });

    it('ends the look at a changed Pod where kube-apiserver does', async () => {
      const tolerations = [{ key: 'a', operator: 'Exists' }];
      await post(pods, { name: 'p' }, { spec: { containers: [container], activeDeadlineSeconds: 50, tolerations } });
      const refused = async (spec: object) => fields(await patch(`${pods}/p`, { spec }));
      const more = [container, { ...container, name: 'd' }];
      assert.deepEqual(await refused({ containers: more, tolerations: [] }), ['spec.containers Forbidden']);
      assert.deepEqual(await refused({ initContainers: [{ ...container, name: 'd' }], activeDeadlineSeconds: 60 }), [
        'spec.initContainers Forbidden',
      ]);
      assert.deepEqual(await refused({ activeDeadlineSeconds: 60, tolerations: [], hostNetwork: true }), [
        'spec.activeDeadlineSeconds Invalid',
      ]);
      assert.deepEqual(await refused({ activeDeadlineSeconds: null, tolerations: [], hostNetwork: true }), [
        'spec.activeDeadlineSeconds Invalid',
        'spec.tolerations Forbidden',
        'spec Forbidden',
      ]);
    });

    it('calls an empty name of a second container a duplicate too', async () => {
      assert.deepEqual(await refusedPod({ containers: [{ image: 'i' }, { image: 'i' }] }), [
        'spec.containers[0].name Required',
        'spec.containers[1].name Required',
        'spec.containers[1].name Duplicate',
      ]);
    });

    it('calls an empty topology and an empty weight invalid, the weight first', async () => {
      const preferredDuringSchedulingIgnoredDuringExecution = [{ podAffinityTerm: {} }];
      const affinity = { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution } };
      const at = 'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]';
      assert.deepEqual(await refusedPod({ containers: [container], affinity }), [
        `${at}.weight Invalid`,
        `${at}.podAffinityTerm.topologyKey Required`,
        `${at}.podAffinityTerm.topologyKey Invalid`,
        `${at}.podAffinityTerm.topologyKey Invalid`,
      ]);
    });

    it('calls the empty name of a ConfigMap or Secret invalid, and an empty key missing', async () => {
      for (const source of ['configMapKeyRef', 'secretKeyRef']) {
        const env = [{ name: 'A', valueFrom: { [source]: {} } }];
        const at = `spec.containers[0].env[0].valueFrom.${source}`;
        assert.deepEqual(await refusedPod({ containers: [{ ...container, env }] }), [
          `${at}.name Invalid`,
          `${at}.key Required`,
        ]);
      }
    });

    it('says of a changed Node what was changed, and that the rest may not', async () => {
      await post('/api/v1/nodes', { name: 'n' }, { spec: { providerID: 'x' } });
      const refused = async (spec: object) => fields(await patch('/api/v1/nodes/n', { spec }));
      assert.deepEqual(await refused({ providerID: 'y' }), ['spec.providerID Forbidden', '[] Forbidden']);
      assert.deepEqual(await refused({ externalID: 'y' }), ['[] Forbidden']);
      const allowed = { unschedulable: true, taints: [{ key: 'a', effect: 'NoSchedule' }], podCIDR: '10.1.0.0/24' };
      assert.equal((await patch('/api/v1/nodes/n', { spec: allowed })).status, 200);
    });

    it('checks where a Node says it has its settings from', async () => {
      await post('/api/v1/nodes', { name: 'n' }, {});
      const config = { active: {}, lastKnownGood: { configMap: { namespace: 'a', name: 'b', kubeletConfigKey: '!' } } };
      assert.deepEqual(fields(await patch('/api/v1/nodes/n/status', { status: { config } })), [
        'status.config.active Invalid',
        'status.config.lastKnownGood.configMap.uid Required',
        'status.config.lastKnownGood.configMap.resourceVersion Required',
        'status.config.lastKnownGood.configMap.kubeletConfigKey Invalid',
      ]);
    });

    it('checks the addresses that a node reports for a Pod', async () => {
      await post(pods, { name: 'p' }, { spec: { containers: [container] } });
      const refused = async (...ips: string[]) =>
        fields(await patch(`${pods}/p/status`, { status: { podIPs: ips.map((ip) => ({ ip })) } }));
      assert.deepEqual(await refused('x'), ['status.podIPs[0] Invalid']);
      assert.deepEqual(await refused('1.2.3.4', '1.2.3.4'), ['status.podIPs Invalid', 'status.podIPs[1] Duplicate']);
    });

    it('names the fields of classes and maps as kube-apiserver does', async () => {
      const toleration = { key: 'a b', operator: 'Maybe' };
      const wrong: readonly (readonly [path: string, object: object, fields: string[]])[] = [
        [
          '/apis/storage.k8s.io/v1/storageclasses',
          { provisioner: 'a/b', allowedTopologies: [{ matchLabelExpressions: [{ key: 'a' }] }, {}] },
          [
            'allowedTopologies[0].matchLabelExpressions[0].values Required',
            'allowedTopologies[1].matchLabelExpressions Duplicate',
          ],
        ],
        [
          '/apis/node.k8s.io/v1/runtimeclasses',
          { handler: 'h', overhead: { podFixed: { cpu: '-1' } }, scheduling: { tolerations: [toleration] } },
          [
            'overhead.limits[cpu] Invalid',
            'scheduling.tolerations.tolerations[0].key Invalid',
            'scheduling.tolerations.tolerations[0].operator NotSupported',
          ],
        ],
        ['/api/v1/namespaces/default/configmaps', { data: { k: 'x' }, binaryData: { k: 'eA==' } }, ['data[k] Invalid']],
        [
          '/api/v1/namespaces/default/podtemplates',
          { template: { spec: { containers: [container], overhead: { cpu: '-1' } } } },
          ['template.spec.overhead.limits[cpu] Invalid'],
        ],
      ];
      for (const [path, object, expected] of wrong) {
        assert.deepEqual(fields(await post(path, { name: 'q' }, object)), expected);
      }
    });

    it('asks for a restart policy of a Job that lets its pods end', async () => {
      const always = await post(jobs, { name: 'j' }, { spec: { template: template('Always') } });
      assert.deepEqual(fields(always), ['spec.template.spec.restartPolicy Required']);
    });
  });

  it('pulls an image without a readable name when it is not there', async () => {
    const containers = ['', 'i', 'Not an image'].map((image, index) => ({ name: `c${index}`, image }));
    const spec = { ...workload, template: { ...template('Always'), spec: { containers } } };
    const made = await post('/apis/apps/v1/namespaces/default/statefulsets', { name: 's' }, { spec });
    assert.deepEqual(
      containers.map((_, index) => made.at(`spec.template.spec.containers.${index}.imagePullPolicy`)),
      ['IfNotPresent', 'Always', 'IfNotPresent'],
    );
  });
});
