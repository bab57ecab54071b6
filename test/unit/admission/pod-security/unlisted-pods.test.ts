import assert from 'node:assert/strict';
import { podSecurity } from '../../../../src/admission/plugins/pod-security/pod-security.ts';
import { MetricsRegistry } from '../../../../src/metrics/metrics-registry.ts';
import { identifiers, writeOf } from '../attributes.ts';
import { chainDependencies } from '../chain-dependencies.ts';

const namespace = (labels: Readonly<Record<string, string>>) => ({ metadata: { name: 'n', labels } });

describe('a stricter level for a namespace', () => {
  const listPods = () => Promise.reject(new Error('the cache is not filled'));
  const plugin = podSecurity({ ...chainDependencies, identifiers, metrics: new MetricsRegistry(), listPods });
  const oldObject = namespace({});
  const object = namespace({ 'pod-security.kubernetes.io/enforce': 'baseline' });

  it('is allowed with a warning if its Pods cannot be listed', async () => {
    const warnings: string[] = [];
    await plugin.validate?.(writeOf('namespaces', object, { oldObject, warn: (text) => void warnings.push(text) }));
    assert.deepEqual(warnings, ['failed to list pods while checking new PodSecurity enforce level']);
  });

  it('ends with its request', async () => {
    const signal = AbortSignal.abort(new Error('the client is gone'));
    await assert.rejects(async () => plugin.validate?.(writeOf('namespaces', object, { oldObject, signal })), {
      message: 'the client is gone',
    });
  });
});
