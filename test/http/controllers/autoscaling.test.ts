import assert from 'node:assert/strict';
import { type Client, createClient, type GenericObject } from '../../../src/client/index.ts';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { type Deployment, deployments, type Pod, pods } from '../../../src/controllers/resources.ts';
import { startControllers } from '../../../src/controllers/manager/start-controllers.ts';
import type { HorizontalPodAutoscaler, MetricSpec } from '../../../src/gen/types/autoscaling-v2.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { type AggregatedWorld, startAggregatedWorld } from '../aggregation/aggregated-world.ts';
import { until } from '../until.ts';

const namespace = 'default';
const { horizontalpodautoscalers, events } = builtInResources('cluster');
const cpuUse = 'stand-in.cluster.io/cpu';

describe('autoscalers', () => {
  let world: AggregatedWorld;
  let client: Client;
  const errors: string[] = [];
  const stop = new AbortController();
  let ended = Promise.resolve();
  before(async () => {
    world = await startAggregatedWorld({ nodes: 2, authorizationMode: ['RBAC'] });
    client = createClient(world.server.connection);
    ended = startControllers(
      {
        settings: world.server.connection,
        identifiers: identifiersOf('cluster'),
        options: {
          'use-service-account-credentials': true,
          'horizontal-pod-autoscaler-sync-period': 200,
          'horizontal-pod-autoscaler-downscale-stabilization': 0,
          'horizontal-pod-autoscaler-cpu-initialization-period': 0,
          'horizontal-pod-autoscaler-initial-readiness-delay': 0,
        },
        onError: (error) => errors.push(String(error)),
      },
      stop.signal,
    ).ended;
  });
  after(async () => {
    stop.abort();
    await ended;
    await client.close();
    await world[Symbol.asyncDispose]();
  });

  const addDeployment = (name: string, replicas: number, annotations = {}) =>
    client.resource(deployments).create({
      metadata: { name, namespace },
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name }, annotations },
          spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }] },
        },
      },
    } as unknown as Deployment);
  const addAutoscaler = (name: string, metrics: readonly MetricSpec[], more: object = {}) =>
    client.resource(horizontalpodautoscalers).create({
      metadata: { name, namespace },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        minReplicas: 1,
        maxReplicas: 10,
        metrics: [...metrics],
        ...more,
      },
    });
  const serve = async (group: string): Promise<void> => {
    const services = { group: 'apiregistration.cl.io', version: 'v1', resource: 'apiservices', namespaced: false };
    const service = { namespace, name: 'backend', port: world.backendPort };
    const name = `v1beta1.${group}`;
    const priorities = { groupPriorityMinimum: 500, versionPriority: 10 };
    const spec = { group, version: 'v1beta1', service, caBundle: world.caBundle, ...priorities };
    await client.resource(services).create({ metadata: { name }, spec });
    await until(`${name} to be available`, async () => {
      const { status } = await client.resource(services).get(name);
      return JSON.stringify(status ?? {}).includes('"status":"True"');
    });
  };
  const get = (name: string) => client.resource(horizontalpodautoscalers).get(name, { namespace });
  const replicasOf = async (name: string) =>
    (await client.resource(deployments).get(name, { namespace })).spec.replicas;
  const scaled = (name: string, count: number) =>
    until(`${count} replicas of ${name}`, async () => (await replicasOf(name)) === count);
  const runningOf = async (name: string): Promise<Pod[]> =>
    (await client.resource(pods).list({ namespace, labelSelector: `app=${name}` })).items.filter(
      ({ status }) => status?.phase === 'Running',
    );
  const conditionsOf = ({ status }: HorizontalPodAutoscaler) =>
    Object.fromEntries((status?.conditions ?? []).map((each) => [each.type, `${each.status} ${each.reason}`]));
  const reported = (name: string, reason: string, message?: string) =>
    until(`${reason} of ${name}`, async () =>
      (await client.resource(events).list({ namespace })).items.some(
        (event) =>
          event.involvedObject?.name === name &&
          event.reason === reason &&
          (message === undefined || event.message === message) &&
          event.source?.component === 'horizontal-pod-autoscaler',
      ),
    );

  it('scale to the use that annotations of pods on stand-in nodes ask for', async () => {
    await addDeployment('cpu', 1, { [cpuUse]: '150m' });
    const target = { type: 'Utilization', averageUtilization: 50 };
    await addAutoscaler('cpu', [{ type: 'Resource', resource: { name: 'cpu', target } }]);
    // Each pod uses 150 % of its request, so there are never enough; one becomes three, then more.
    await scaled('cpu', 10);
    await reported(
      'cpu',
      'SuccessfulRescale',
      'New size: 3; reason: cpu resource utilization (percentage of request) above target',
    );
    const [pod] = await runningOf('cpu');
    const metrics = { group: 'metrics.cl.io', version: 'v1beta1', resource: 'pods' };
    const found: GenericObject = await client.resource(metrics).get(pod?.metadata.name ?? '', { namespace });
    assert.deepEqual(found['containers'], [{ name: 'c', usage: { cpu: '150m', memory: '0' } }]);
    await until('the limit', async () => {
      const reached = await get('cpu');
      const limited = conditionsOf(reached)['ScalingLimited'] === 'True TooManyReplicas';
      return limited && reached.status?.currentReplicas === 10;
    });
    const { status } = await get('cpu');
    assert.deepEqual(status?.currentMetrics, [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 150, averageValue: '150m' } } },
    ]);
    assert.ok(status.lastScaleTime);
    assert.deepEqual(conditionsOf(await get('cpu')), {
      AbleToScale: 'True ReadyForNewScale',
      ScalingActive: 'True ValidMetricFound',
      ScalingLimited: 'True TooManyReplicas',
    });
    for (const { metadata } of await runningOf('cpu')) {
      const annotations = { [cpuUse]: '1m' };
      await client.resource(pods).patch(metadata.name, { metadata: { annotations } }, { type: 'merge', namespace });
    }
    // Pods that take the place of others use as much as the template says, so some are left.
    await until('fewer pods', async () => ((await replicasOf('cpu')) ?? 0) < 10);
    await reported('cpu', 'SuccessfulRescale');
  });

  it('report that they cannot read metrics, and scale nothing', async () => {
    await addDeployment('blind', 2);
    const target = { type: 'Value', value: '10' };
    await addAutoscaler('blind', [{ type: 'External', external: { metric: { name: 'absent' }, target } }]);
    await reported('blind', 'FailedGetExternalMetric');
    await reported('blind', 'FailedComputeMetricsReplicas');
    await until('the status', async () => (await get('blind')).status?.currentReplicas === 2);
    assert.deepEqual(conditionsOf(await get('blind')), {
      AbleToScale: 'True SucceededGetScale',
      ScalingActive: 'False FailedGetExternalMetric',
    });
    assert.equal(await replicasOf('blind'), 2);
  });

  it('report metrics that nobody serves in the words of kube-controller-manager', async () => {
    await addDeployment('unserved', 2);
    const describedObject = { apiVersion: 'v1', kind: 'Service', name: 's' };
    const metric = { name: 'm' };
    const [value, share] = [
      { type: 'Value', value: '10' },
      { type: 'AverageValue', averageValue: '10' },
    ];
    const notFetched = 'unable to fetch metrics from';
    const notFound = 'metrics API: the server could not find the requested resource (get';
    const external = `unable to get external metric default/m/nil: ${notFetched} external ${notFound} m.external.metrics.cl.io)`;
    const unregistered = `${notFetched} custom metrics API: no custom metrics API (custom.metrics.cl.io) registered`;
    const object = `unable to get metric m: Service on default s/${unregistered}`;
    const cases: readonly (readonly [name: string, metric: MetricSpec, message: string])[] = [
      [
        'external-value',
        { type: 'External', external: { metric, target: value } },
        `failed to get external metric m: ${external}`,
      ],
      [
        'external-share',
        { type: 'External', external: { metric, target: share } },
        `failed to get m external metric: ${external}`,
      ],
      [
        'object-value',
        { type: 'Object', object: { metric, describedObject, target: value } },
        `failed to get object metric value: ${object}`,
      ],
      [
        'object-share',
        { type: 'Object', object: { metric, describedObject, target: share } },
        `failed to get object metric value: failed to get m object metric: ${object}`,
      ],
      [
        'pods-share',
        { type: 'Pods', pods: { metric, target: share } },
        `failed to get pods metric value: unable to get metric m: ${unregistered}`,
      ],
    ];
    for (const [name, spec, message] of cases) {
      await addAutoscaler(name, [spec], {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'unserved' },
      });
      const text = `invalid metrics (1 invalid out of 1), first error is: ${message}`;
      await reported(name, 'FailedComputeMetricsReplicas', text);
    }
  });

  it('report a target that does not exist', async () => {
    await addAutoscaler('lost', []);
    await reported('lost', 'FailedGetScale');
    await until('the status', async () => conditionsOf(await get('lost'))['AbleToScale'] === 'False FailedGetScale');
  });

  it('keep targets within their bounds without any metric, and leave those alone that have no pods', async () => {
    await addDeployment('many', 7);
    await addDeployment('off', 0);
    const target = { type: 'Value', value: '10' };
    const metrics = [{ type: 'External', external: { metric: { name: 'absent' }, target } }];
    await addAutoscaler('many', metrics, { minReplicas: 2, maxReplicas: 3 });
    await addAutoscaler('off', metrics);
    await scaled('many', 3);
    await reported(
      'many',
      'SuccessfulRescale',
      'New size: 3; reason: Current number of replicas above Spec.MaxReplicas',
    );
    await until('the status', async () => conditionsOf(await get('off'))['ScalingActive'] === 'False ScalingDisabled');
    assert.equal(await replicasOf('off'), 0);
  });

  it('read custom and external metrics of aggregated servers', async () => {
    const values = { queue: '40', rate: '5' };
    const asked: string[] = [];
    const answer = (path: string, item: () => object | Promise<object>) =>
      world.at(path, (request, response) => {
        asked.push(request.url ?? '');
        response.setHeader('content-type', 'application/json');
        void Promise.resolve(item()).then((one) => response.end(JSON.stringify({ items: [one] })));
      });
    const external = `/apis/external.metrics.cl.io/v1beta1/namespaces/${namespace}/queue`;
    answer(external, () => ({ metricName: 'queue', value: values.queue }));
    const custom = `/apis/custom.metrics.cl.io/v1beta1/namespaces/${namespace}`;
    // Three pods have enough; one has three times too much.
    answer(`${custom}/services/front/hits`, async () => {
      return { metricName: 'hits', value: (await replicasOf('front')) === 1 ? '30' : '10' };
    });
    await serve('external.metrics.cl.io');
    await serve('custom.metrics.cl.io');

    await addDeployment('worker', 1);
    const selector = { matchLabels: { name: 'jobs' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] };
    await addAutoscaler('worker', [
      {
        type: 'External',
        external: { metric: { name: 'queue', selector }, target: { type: 'AverageValue', averageValue: '10' } },
      },
    ]);
    await scaled('worker', 4);
    assert.ok(asked.includes(`${external}?labelSelector=name%3Djobs%2Ctier`), String(asked));

    await addDeployment('front', 1);
    const describedObject = { apiVersion: 'v1', kind: 'Service', name: 'front' };
    await addAutoscaler('front', [
      { type: 'Object', object: { metric: { name: 'hits' }, describedObject, target: { type: 'Value', value: '10' } } },
    ]);
    await scaled('front', 3);
    await addDeployment('shared', 1);
    const share = { type: 'AverageValue', averageValue: '10' };
    await addAutoscaler('shared', [
      { type: 'Object', object: { metric: { name: 'hits' }, describedObject, target: share } },
    ]);
    await until('the name of an average of an object', async () =>
      ((await get('shared')).status?.conditions ?? []).some(
        ({ message }) =>
          message === 'the HPA was able to successfully calculate a replica count from external metric hits(nil)',
      ),
    );

    await addDeployment('rated', 2);
    await until('running pods', async () => (await runningOf('rated')).length === 2);
    const [first, second] = await runningOf('rated');
    // All pods are `*`, which is encoded when it is passed on.
    world.at(`${custom}/pods/%2A/rate`, (_request, response) => {
      const items = [first, second].map((pod) => ({
        describedObject: { kind: 'Pod', name: pod?.metadata.name },
        timestamp: new Date().toISOString(),
        value: values.rate,
      }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ items }));
    });
    await addAutoscaler('rated', [
      { type: 'Pods', pods: { metric: { name: 'rate' }, target: { type: 'AverageValue', averageValue: '2500m' } } },
    ]);
    await scaled('rated', 4);
    // The two new ones have no metric, and so count as if they had none to do.
    await until('a steady state', async () => (await get('rated')).status?.desiredReplicas === 4);
  });

  it('do not scale down while a metric is unknown', async () => {
    await addDeployment('unsure', 3);
    const share = { type: 'AverageValue', averageValue: '40' };
    const external = (name: string) => ({ type: 'External', external: { metric: { name }, target: share } });
    await addAutoscaler('unsure', [external('queue'), external('absent')]);
    await reported('unsure', 'FailedGetExternalMetric');
    await until('the status', async () => (await get('unsure')).status?.currentReplicas === 3);
    assert.equal(conditionsOf(await get('unsure'))['ScalingActive'], 'False FailedGetExternalMetric');
    assert.equal(await replicasOf('unsure'), 3);
  });

  it('report why a metric or a target is unknown', async () => {
    await addDeployment('unread', 1);
    const selector = { matchLabels: { b: '2', a: '1' } };
    const value = { type: 'Value', value: '10' };
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w' };
    const service = { apiVersion: 'v1', kind: 'Service', name: 'unread' };
    await addAutoscaler('unread', [
      { type: 'External', external: { metric: { name: 'unread', selector }, target: value } },
      { type: 'Object', object: { metric: { name: 'unread' }, describedObject: widget, target: value } },
      { type: 'Object', object: { metric: { name: 'unread' }, describedObject: service, target: value } },
    ]);
    const starting = (reason: string, start: string) =>
      until(`${reason} ${start}`, async () =>
        (await client.resource(events).list({ namespace })).items.some(
          (event) => event.reason === reason && event.message?.startsWith(start),
        ),
      );
    const printed =
      '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{},}';
    await starting('FailedGetExternalMetric', `unable to get external metric default/unread/${printed}: `);
    await starting(
      'FailedGetObjectMetric',
      'unable to get metric unread: Widget on default w/unable to fetch metrics from custom metrics API: ' +
        'unable to map kind Widget.example.com to resource: no matches for kind "Widget" in group "example.com"',
    );
    await starting('FailedGetObjectMetric', 'unable to get metric unread: Service on default unread/');
    await addAutoscaler('widget', [], { scaleTargetRef: widget });
    await reported('widget', 'FailedGetScale', 'no matches for kind "Widget" in group "example.com"');
    await addAutoscaler('malformed', [], { scaleTargetRef: { apiVersion: 'a/b/c', kind: 'Widget', name: 'w' } });
    await reported('malformed', 'FailedGetScale', 'unexpected GroupVersion string: a/b/c');
  });

  it('scale custom kinds', async () => {
    const group = 'example.com';
    const schema = { openAPIV3Schema: { type: 'object', 'x-cluster-preserve-unknown-fields': true } };
    const scale = {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    };
    await client
      .resource({
        group: 'apiextensions.cl.io',
        version: 'v1',
        resource: 'customresourcedefinitions',
        namespaced: false,
      })
      .create({
        metadata: { name: `fleets.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'fleets', kind: 'Fleet' },
          versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {}, scale } }],
        },
      });
    const fleets = client.resource({ group, version: 'v1', resource: 'fleets' });
    const fleet = {
      apiVersion: `${group}/v1`,
      kind: 'Fleet',
      metadata: { name: 'fleet', namespace },
      spec: { replicas: 1 },
    };
    await until('the kind', () =>
      fleets.create(fleet).then(
        () => true,
        () => false,
      ),
    );
    const scaleTargetRef = { apiVersion: `${group}/v1`, kind: 'Fleet', name: 'fleet' };
    await addAutoscaler('fleet', [], { scaleTargetRef, minReplicas: 3 });
    await until('three', async () => {
      const { spec } = await fleets.get('fleet', { namespace });
      return JSON.stringify(spec) === '{"replicas":3}';
    });
  });

  it('need no more rights than their default role', () => {
    assert.deepEqual(
      errors.filter((error) => error.includes('forbidden: User')),
      [],
    );
  });
});
