import assert from 'node:assert/strict';
import { planServiceCidr } from '../../../src/controllers/servicecidrs/plan-service-cidr.ts';
import type { ServiceCIDR } from '../../../src/gen/types/networking-v1.ts';

const finalizer = 'networking.k8s.io/service-cidr-finalizer';
const nowMs = Date.parse('2026-01-01T00:01:00Z');
const deletedAt = (time: string): ServiceCIDR => ({
  metadata: { name: 'more', finalizers: [finalizer], deletionTimestamp: time },
  spec: { cidrs: ['10.7.0.0/24', '2001:db8::/64'] },
});
const plan = (cidr: ServiceCIDR, addresses: readonly string[] = [], others: readonly ServiceCIDR[] = []) =>
  planServiceCidr(cidr, {
    finalizer,
    product: 'kubernetes',
    nowMs,
    others: () => [cidr, ...others],
    addresses: () => addresses,
  });

describe('the plan for a ServiceCIDR', () => {
  it('adds the finalizer first, then sets the condition Ready', () => {
    const fresh: ServiceCIDR = { metadata: { name: 'more' }, spec: { cidrs: ['10.7.0.0/24'] } };
    const { object } = plan(fresh);
    assert.deepEqual(object?.metadata?.finalizers, [finalizer]);
    const { withStatus } = plan(object);
    const [ready] = withStatus?.status?.conditions ?? [];
    assert.deepEqual(
      [ready?.type, ready?.status, ready?.message],
      ['Ready', 'True', 'Kubernetes Service CIDR is ready'],
    );
    assert.ok(withStatus);
    assert.deepEqual(plan(withStatus), {});
  });

  it('keeps a deleted one while an address depends on it', () => {
    const waiting = plan(deletedAt('2026-01-01T00:00:00Z'), ['10.7.0.9', '10.8.0.1']);
    assert.equal(waiting.withStatus?.status?.conditions?.[0]?.reason, 'Terminating');
    assert.ok((waiting.requeueAfterMs ?? 0) > 0);
    assert.equal(plan(deletedAt('2026-01-01T00:00:00Z'), ['2001:db8::9']).object, undefined);
  });

  it('removes the finalizer when another has its addresses, and the servers have had time to notice', () => {
    const wider: ServiceCIDR = { metadata: { name: 'wider' }, spec: { cidrs: ['10.0.0.0/8'] } };
    const gone = plan(deletedAt('2026-01-01T00:00:00Z'), ['10.7.0.9'], [wider]);
    assert.deepEqual(gone.object?.metadata?.finalizers, []);
    assert.deepEqual(plan(deletedAt('2026-01-01T00:00:55Z'), ['10.7.0.9'], [wider]), { requeueAfterMs: 5_000 });
  });
});
