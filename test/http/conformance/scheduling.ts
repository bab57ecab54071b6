import assert from 'node:assert/strict';
import { nodes, pods } from '../../../src/controllers/resources.ts';
import { podCondition } from '../../../src/kinds/core/pod.ts';
import { create, reached, type World } from './world.ts';

/** `[sig-scheduling] SchedulerPredicates [Serial]`. */
export function schedulingStories(world: World): void {
  const pod = (name: string, spec: object, container: object = {}) => ({
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
  });
  const scheduled = (namespace: string, name: string) =>
    reached(world, pods, namespace, name, ({ spec }) => spec.nodeName !== undefined);
  const refused = async (namespace: string, name: string) => {
    const found = await reached(
      world,
      pods,
      namespace,
      name,
      (each) => podCondition(each, 'PodScheduled')?.status === 'False',
    );
    return podCondition(found, 'PodScheduled')?.message;
  };

  it('validates resource limits of pods that are allowed to run', async () => {
    const namespace = await world.newNamespace();
    const requests = (cpu: string) => ({ resources: { requests: { cpu } } });
    for (const name of ['a', 'b']) await create(world, pods, namespace, pod(name, {}, requests('60')));
    const on = [(await scheduled(namespace, 'a')).spec.nodeName, (await scheduled(namespace, 'b')).spec.nodeName];
    assert.equal(new Set(on).size, 2);
    await create(world, pods, namespace, pod('c', {}, requests('60')));
    assert.match((await refused(namespace, 'c')) ?? '', /^0\/2 nodes are available: 2 Insufficient cpu\. preemption: /);
    await world.client.resource(pods).delete('a', { namespace });
    await scheduled(namespace, 'c');
    for (const name of ['b', 'c']) await world.client.resource(pods).delete(name, { namespace });
  });

  it('validates that NodeSelector and NodeAffinity are respected', async () => {
    const namespace = await world.newNamespace();
    await create(world, pods, namespace, pod('selects', { nodeSelector: { story: 'match' } }));
    assert.match((await refused(namespace, 'selects')) ?? '', /^0\/2 nodes are available: 2 node\(s\) didn't match/);
    const label = (story: string | null) =>
      world.client.resource(nodes).patch('node-2', { metadata: { labels: { story } } }, { type: 'merge' });
    await label('match');
    assert.equal((await scheduled(namespace, 'selects')).spec.nodeName, 'node-2');
    await label(null);
  });
}
