import assert from 'node:assert/strict';
import { hasReason } from '../../../src/client/index.ts';
import { deployments, pods } from '../../../src/controllers/resources.ts';
import { until } from '../until.ts';
import { create, podsOf, reached, resources, workload, type World } from './world.ts';

/** `[sig-apps] DisruptionController`. */
export function budgetStories(world: World): void {
  const { poddisruptionbudgets } = resources;
  const budget = (app: string, spec: object) => ({
    metadata: { name: app },
    spec: { selector: { matchLabels: { app } }, ...spec },
  });

  it('should observe PodDisruptionBudget status updated', async () => {
    const namespace = await world.newNamespace();
    await create(world, poddisruptionbudgets, namespace, budget('counted', { minAvailable: 1 }));
    await create(world, deployments, namespace, workload('counted', { replicas: 3 }));
    const { status } = await reached(
      world,
      poddisruptionbudgets,
      namespace,
      'counted',
      (each) => each.status?.disruptionsAllowed === 2,
    );
    assert.deepEqual([status?.currentHealthy, status?.desiredHealthy, status?.expectedPods], [3, 1, 3]);
  });

  it('evictions: should block an eviction until the PDB is updated to allow it', async () => {
    const namespace = await world.newNamespace();
    await create(world, poddisruptionbudgets, namespace, budget('guarded', { minAvailable: 3 }));
    await create(world, deployments, namespace, workload('guarded', { replicas: 3 }));
    const healthy = (count: number) => (each: { status?: { currentHealthy?: number; disruptionsAllowed?: number } }) =>
      each.status?.currentHealthy === 3 && each.status.disruptionsAllowed === count;
    await reached(world, poddisruptionbudgets, namespace, 'guarded', healthy(0));
    const [pod] = await podsOf(world, namespace, 'guarded');
    const name = pod?.metadata.name ?? '';
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
    const send = () => world.client.resource(pods).create(eviction, { namespace, subresource: 'eviction' });
    await assert.rejects(send(), (error) => hasReason(error, 'TooManyRequests'));
    const change = { spec: { minAvailable: 2 } };
    await world.client.resource(poddisruptionbudgets).patch('guarded', change, { type: 'merge', namespace });
    await reached(world, poddisruptionbudgets, namespace, 'guarded', healthy(1));
    await send();
    await until('the pod to be replaced', async () => {
      const found = await podsOf(world, namespace, 'guarded');
      return found.length === 3 && found.every((each) => each.metadata.uid !== pod?.metadata.uid);
    });
  });

  for (const [spec, allowed] of [
    [{ maxUnavailable: 1 }, 1],
    [{ maxUnavailable: '50%' }, 2],
    [{ minAvailable: '100%' }, 0],
  ] as const) {
    it(`should allow ${allowed} disruptions of three pods with ${JSON.stringify(spec)}`, async () => {
      const namespace = await world.newNamespace();
      await create(world, deployments, namespace, workload('shared', { replicas: 3 }));
      await create(world, poddisruptionbudgets, namespace, budget('shared', spec));
      const { status } = await reached(
        world,
        poddisruptionbudgets,
        namespace,
        'shared',
        (each) => each.status?.expectedPods === 3 && each.status.currentHealthy === 3,
      );
      assert.equal(status?.disruptionsAllowed, allowed);
    });
  }
}
