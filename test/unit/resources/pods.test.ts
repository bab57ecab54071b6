import assert from 'node:assert/strict';
import type { Container, Pod } from '../../../src/gen/stored/core-v1.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { strategy } from '../../../src/resources/core/pods/strategy.ts';
import { complete, context, summarize } from './context.ts';

function podOf(pod: JsonObject): Pod {
  return complete('api.core.v1.Pod', pod) as Pod;
}

function defaulted(container: JsonObject, spec: JsonObject = {}): Pod {
  const pod = podOf({ spec: { ...spec, containers: [{ name: 'c', image: 'a', ...container }] } });
  strategy.default?.(pod, context);
  return pod;
}

function firstContainer(pod: Pod): Container | undefined {
  return pod.spec.containers?.[0];
}

function grace(spec: JsonObject, phase = 'Running'): number | undefined {
  return strategy.defaultGracePeriodSeconds?.(podOf({ spec, status: { phase } }));
}

describe('pods', () => {
  const images: readonly (readonly [image: string, policy: string])[] = [
    ['busybox', 'Always'],
    ['r.example/a:latest', 'Always'],
    ['localhost:5000/a', 'Always'],
    ['r.example/a:1.2', 'IfNotPresent'],
    ['localhost:5000/a:1.2', 'IfNotPresent'],
    ['a@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'IfNotPresent'],
  ];
  for (const [image, policy] of images) {
    it(`pull ${image.slice(0, 24)} ${policy}`, () => {
      assert.equal(firstContainer(defaulted({ image }))?.imagePullPolicy, policy);
    });
  }

  it('of earlier releases keep a cost that is no number, and may change it', () => {
    const withCost = (cost: string): Pod =>
      podOf({ metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } } });
    for (const target of [strategy, strategy.subresources?.['status']]) {
      assert.deepEqual(target?.validateUpdate?.(withCost('y'), withCost('x'), context), []);
      assert.equal(target?.validateUpdate?.(withCost('y'), withCost('1'), context).length, 1);
    }
  });

  it('request what they limit, unless they say otherwise', () => {
    const resources = { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } };
    assert.deepEqual(firstContainer(defaulted({ resources }))?.resources, {
      limits: { cpu: '2', memory: '1Gi' },
      requests: { cpu: '1', memory: '1Gi' },
    });
  });

  it('have empty directories for volumes without a source, and ports of the host on its network', () => {
    const pod = defaulted({ ports: [{ containerPort: 80 }] }, { hostNetwork: true, volumes: [{ name: 'v' }] });
    assert.deepEqual(pod.spec.volumes, [{ name: 'v', emptyDir: {} }]);
    assert.equal(firstContainer(pod)?.ports?.[0]?.hostPort, 80);
  });

  it('show the old name of their service account too', () => {
    const { spec } = defaulted({}, { serviceAccountName: 's' });
    assert.equal(spec.serviceAccount, 's');
  });

  it('start pending, whatever the client wrote', () => {
    const pod = podOf({ status: { phase: 'Running', podIP: '1.2.3.4' } });
    strategy.prepareForCreate?.(pod, context);
    assert.deepEqual(pod.status, { phase: 'Pending', qosClass: 'BestEffort' });
  });

  const classes: readonly (readonly [resources: JsonObject, expected: string])[] = [
    [{}, 'BestEffort'],
    [{ requests: { cpu: '0' } }, 'BestEffort'],
    [{ requests: { 'example.com/gpu': '1' } }, 'BestEffort'],
    [{ requests: { cpu: '1' } }, 'Burstable'],
    [{ limits: { cpu: '1' }, requests: { cpu: '1' } }, 'Burstable'],
    [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1073741824' } }, 'Guaranteed'],
    [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } }, 'Burstable'],
  ];
  for (const [resources, expected] of classes) {
    it(`are ${expected} with ${JSON.stringify(resources)}`, () => {
      const pod = podOf({ spec: { containers: [{ resources }] } });
      strategy.prepareForCreate?.(pod, context);
      assert.equal(pod.status.qosClass, expected);
    });
  }

  const good: JsonObject = { name: 'c', image: 'a' };
  const wrong: readonly (readonly [spec: JsonObject, errors: string[]])[] = [
    [{ containers: [{ image: 'a' }] }, ['spec.containers[0].name: Required']],
    [{ containers: [{ name: 'C', image: 'a' }] }, ['spec.containers[0].name: Invalid']],
    [{ containers: [good, good] }, ['spec.containers[1].name: Duplicate']],
    [{ containers: [{ ...good, env: [{ name: '1=' }] }] }, ['spec.containers[0].env[0].name: Invalid']],
    [
      { containers: [{ ...good, volumeMounts: [{ name: 'v', mountPath: '/' }] }] },
      ['spec.containers[0].volumeMounts[0].name: NotFound'],
    ],
    [{ containers: [good], volumes: [{ name: 'v', emptyDir: {}, secret: {} }] }, ['spec.volumes[0].secret: Forbidden']],
    [
      { containers: [{ ...good, resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }] },
      ['spec.containers[0].resources.requests: Invalid'],
    ],
    [{ containers: [good], activeDeadlineSeconds: 0 }, ['spec.activeDeadlineSeconds: Invalid']],
  ];
  for (const [spec, errors] of wrong) {
    it(`are refused with ${JSON.stringify(spec).slice(0, 90)}`, () => {
      assert.deepEqual(summarize(strategy.validate?.(podOf({ spec }), context) ?? []), errors);
    });
  }

  const running: JsonObject = {
    containers: [good],
    activeDeadlineSeconds: 100,
    tolerations: [{ key: 'k', effect: 'NoExecute' }],
  };
  const changes: readonly (readonly [title: string, change: JsonObject, errors: string[]])[] = [
    ['take a new image', { containers: [{ name: 'c', image: 'b' }] }, []],
    ['take a shorter deadline', { activeDeadlineSeconds: 50 }, []],
    [
      'take another toleration',
      { tolerations: [{ key: 'k', effect: 'NoExecute', tolerationSeconds: 5 }, { key: 'l' }] },
      [],
    ],
    ['refuse a longer deadline', { activeDeadlineSeconds: 101 }, ['spec.activeDeadlineSeconds: Invalid']],
    ['refuse to lose a toleration', { tolerations: [] }, ['spec.tolerations: Forbidden']],
    ['refuse another container', { containers: [good, { name: 'd', image: 'a' }] }, ['spec.containers: Forbidden']],
    ['refuse another host name', { hostname: 'h' }, ['spec: Forbidden']],
  ];
  for (const [title, change, errors] of changes) {
    it(`that run ${title}`, () => {
      const [updated, old] = [podOf({ spec: { ...running, ...change } }), podOf({ spec: running })];
      assert.deepEqual(summarize(strategy.validateUpdate?.(updated, old, context) ?? []), errors);
    });
  }

  it('are given time to end once a node runs them, and none before or after', () => {
    assert.equal(grace({ nodeName: 'n' }), 30);
    assert.equal(grace({ nodeName: 'n', terminationGracePeriodSeconds: 5 }), 5);
    assert.equal(grace({ nodeName: 'n', terminationGracePeriodSeconds: -5 }), 1);
    assert.equal(grace({}), undefined);
    assert.equal(grace({ nodeName: 'n' }, 'Succeeded'), undefined);
  });
});
