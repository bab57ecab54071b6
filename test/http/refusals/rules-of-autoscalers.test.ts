import assert from 'node:assert/strict';
import { type Fixture, type Received, startFixture } from '../../unit/api/fixture.ts';

const collection = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };
const memory = (target: object): object => ({ type: 'Resource', resource: { name: 'memory', target } });
const external = (target: object): object => ({ type: 'External', external: { metric: { name: 'e' }, target } });

/** Autoscalers are given back as kube-apiserver does, which stores them in the form of v1. */
describe('rules of autoscalers', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await startFixture();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const post = (version: string, spec: object, annotations: object = {}): Promise<Received> => {
    const body = { metadata: { name: 'h', annotations }, spec: { scaleTargetRef, maxReplicas: 3, ...spec } };
    return fixture.send({ method: 'POST', path: collection(version), body });
  };
  const causes = (response: Received): unknown[] =>
    (response.at('details.causes') as { field: string; message: string }[]).map(({ field, message }) => [
      field,
      message,
    ]);

  it('keep of each target what its type of metric has, and put the share of CPU last', async () => {
    const metrics = [
      cpu,
      memory({ type: 'Value', value: '1', averageValue: '3' }),
      external({ type: 'Utilization', averageValue: '3' }),
    ];
    const made = await post('v2', { metrics });
    const average = { type: 'AverageValue', averageValue: '3' };
    assert.deepEqual(made.at('spec.metrics'), [memory(average), external(average), cpu]);
  });

  it('leave a target that is not valid as it is, and refuse it', async () => {
    const refused = await post('v2', { metrics: [memory({ type: 'Half', averageValue: '3' })] });
    assert.deepEqual(causes(refused), [
      [
        'spec.metrics[0].resource.target.type',
        'Invalid value: "Half": must be either Utilization, Value, or AverageValue',
      ],
    ]);
  });

  it('refuse two values of an external metric, whichever version says them', async () => {
    const flat = { type: 'External', external: { metricName: 'e', targetValue: '1', targetAverageValue: '2' } };
    const refused = await post('v2beta1', { metrics: [flat] });
    assert.deepEqual(causes(refused), [
      [
        'spec.metrics[0].external.target.value',
        'Forbidden: may not set both a target value for metric and a per-pod target',
      ],
    ]);
  });

  it('keep both values of the metric of an object', async () => {
    const object = { metricName: 'm', target: { kind: 'K', name: 'n' }, targetValue: '5', averageValue: '4' };
    const made = await post('v2beta1', { metrics: [{ type: 'Object', object }] });
    assert.deepEqual(made.at('spec.metrics.0.object'), object);
    const same = await fixture.send({ path: `${collection('v2')}/h` });
    assert.deepEqual(same.at('spec.metrics.0.object.target'), { type: 'AverageValue', value: '5', averageValue: '4' });
  });

  it('have a value in the metric of an object of v2beta1, which is none where it is left out', async () => {
    const object = { metricName: 'm', target: { kind: 'K', name: 'n' } };
    const refused = await post('v2beta1', { metrics: [{ type: 'Object', object }] });
    assert.deepEqual(causes(refused), [
      ['spec.metrics[0].object.target.value', 'Invalid value: "0": must be positive'],
    ]);
  });

  it('have metrics of single containers where their gate is on, with the name of the container', async () => {
    const containerResource = { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 4 } };
    const metric = { type: 'ContainerResource', containerResource };
    const refused = await post('v2', {
      metrics: [{ ...metric, containerResource: { ...containerResource, container: '' } }],
    });
    assert.deepEqual(causes(refused), [
      ['spec.metrics[0].containerResource.container', 'Required value: must specify a container'],
    ]);
    const made = await post('v2', { metrics: [metric] });
    assert.deepEqual(made.at('spec.metrics'), [metric]);
  });

  it('read a behavior out of an annotation as it is, whichever case its names begin with', async () => {
    for (const name of ['ScaleUp', 'scaleUp']) {
      const kept = { 'autoscaling.alpha.kubernetes.io/behavior': JSON.stringify({ [name]: { SelectPolicy: 'Min' } }) };
      const refused = await post('v1', {}, kept);
      assert.deepEqual(causes(refused), [
        ['spec.behavior.scaleUp.policies', 'Required value: must specify at least one Policy'],
      ]);
    }
  });
});
