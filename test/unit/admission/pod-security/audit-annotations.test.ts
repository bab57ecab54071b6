import assert from 'node:assert/strict';
import { podSecurity } from '../../../../src/admission/plugins/pod-security/pod-security.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { MetricsRegistry } from '../../../../src/metrics/metrics-registry.ts';
import { identifiers, listerOf, writeOf } from '../attributes.ts';
import { chainDependencies } from '../chain-dependencies.ts';

const domain = 'pod-security.kubernetes.io';

const pod = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p', namespace: 'ns' },
  spec: { containers: [{ name: 'c', image: 'x' }], ...spec },
});

/** The annotations of the audit record of a write, in a namespace with labels; refused or not. */
async function annotationsOf(labels: JsonObject, object: JsonObject, resource = 'pods'): Promise<JsonObject> {
  const namespace = { metadata: { name: 'ns', labels } };
  const exemptions = { usernames: ['trusted'], runtimeClasses: ['sandbox'] };
  const plugin = podSecurity(
    { ...chainDependencies, identifiers, metrics: new MetricsRegistry(), listerOf: listerOf('namespaces.', namespace) },
    { apiVersion: 'pod-security.admission.config.k8s.io/v1', kind: 'PodSecurityConfiguration', exemptions },
  );
  const found: JsonObject = {};
  const annotate = (name: string, value: string): void => void (found[name.replace(`${domain}/`, '')] = value);
  try {
    await plugin.validate?.(writeOf(resource, object, { annotate }));
  } catch {
    // A refusal is annotated too.
  }
  return found;
}

describe('the audit record of a Pod', () => {
  it('has the enforced level', async () => {
    assert.deepEqual(await annotationsOf({}, pod()), { 'enforce-policy': 'privileged:latest' });
    const labels = { [`${domain}/enforce`]: 'baseline', [`${domain}/enforce-version`]: 'v1.20' };
    assert.deepEqual(await annotationsOf(labels, pod()), { 'enforce-policy': 'baseline:v1.20' });
    assert.deepEqual(await annotationsOf(labels, pod({ hostPID: true })), { 'enforce-policy': 'baseline:v1.20' });
  });

  it('has the violations of the level for audit, also in templates', async () => {
    const labels = { [`${domain}/audit`]: 'baseline' };
    const violations = 'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)';
    assert.deepEqual(await annotationsOf(labels, pod({ hostPID: true })), {
      'enforce-policy': 'privileged:latest',
      'audit-violations': violations,
    });
    const deployment = { metadata: { name: 'd' }, spec: { template: pod({ hostPID: true }) } };
    assert.deepEqual(await annotationsOf(labels, deployment, 'deployments.apps'), { 'audit-violations': violations });
  });

  it('says why a Pod is exempt, and that a label is wrong', async () => {
    const labels = { [`${domain}/enforce`]: 'baseline' };
    assert.deepEqual(await annotationsOf(labels, pod({ runtimeClassName: 'sandbox' })), { exempt: 'runtimeClass' });
    const wrong = { [`${domain}/audit`]: 'strict' };
    assert.deepEqual(await annotationsOf(wrong, pod()), {
      'enforce-policy': 'privileged:latest',
      error:
        `Failed to parse policy: metadata.labels[${domain}/audit]: Invalid value: "strict": ` +
        'must be one of privileged, baseline, restricted',
    });
  });

  it('is an error without namespace, which refuses Pods but no templates', async () => {
    const gone = { namespace: 'gone' };
    const write = writeOf('pods', pod(), gone);
    const plugin = podSecurity({ ...chainDependencies, identifiers, metrics: new MetricsRegistry() });
    await assert.rejects(async () => plugin.validate?.(write), {
      message: 'Internal error occurred: failed to lookup namespace "gone"',
    });
    await plugin.validate?.(writeOf('podtemplates', { metadata: { name: 't' }, template: pod() }, gone));
  });
});
