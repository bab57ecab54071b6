import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt } from '../../src/meta/read-field.ts';
import { startServer } from './start-server.ts';
import { createQuota, messageOf, quotaStatus } from '../http/admission/quotas.ts';
import { type HttpResponse, request, type Target } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { startTestEtcd } from './local-store.ts';

const namespace = '/api/v1/namespaces/n';

/** Creators that write at the same time, and the Pods that each creates in turn. */
const creators = 64;
const podsEach = 4;

describe('quotas of two servers on one etcd', () => {
  it('are never exceeded by parallel creators, and lose none', async () => {
    await using etcd = await startTestEtcd();
    const store = { kind: 'etcd', servers: [etcd.endpoint] } as const;
    await using one = await startServer({ store });
    await using two = await startServer({ store });
    const servers: readonly Target[] = [one, two];
    await request(one, 'POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
    await createQuota(one, 'n', { name: 'pods', hard: { pods: '100', 'requests.cpu': '1' } });
    await createQuota(one, 'n', { name: 'counts', hard: { 'count/pods': '150' } });
    await createQuota(one, 'n', { name: 'others', hard: { 'count/configmaps': '1' } });
    await until('the other server knows the quotas', async () => {
      const { status } = await create(two, 'probe', '2', '?dryRun=All');
      return status === 403;
    });

    const createInTurn = async (creator: number): Promise<HttpResponse[]> => {
      const responses: HttpResponse[] = [];
      for (let pod = 0; pod < podsEach; pod++) {
        responses.push(await create(servers[creator % 2] ?? one, `p-${creator}-${pod}`, '10m'));
      }
      return responses;
    };
    const responses = (
      await Promise.all(Array.from({ length: creators }, (_, creator) => createInTurn(creator)))
    ).flat();

    const made = responses.filter(({ status }) => status === 201);
    const refused = responses.filter(({ status }) => status !== 201);
    assert.deepEqual([made.length, refused.length], [100, creators * podsEach - 100], refused[0]?.text);
    for (const response of refused)
      assert.match(messageOf(response), /is forbidden: exceeded quota: pods, requested: pods=1/);
    const { body } = await request(one, 'GET', `${namespace}/pods`);
    assert.equal((body as { items: unknown[] }).items.length, 100);
    const used = async (name: string): Promise<JsonObject> => objectAt(await quotaStatus(two, 'n', name), 'used');
    assert.deepEqual(await used('pods'), { pods: '100', 'requests.cpu': '1' });
    assert.deepEqual(await used('counts'), { 'count/pods': '100' });
    assert.deepEqual(await used('others'), { 'count/configmaps': '0' });
  });
});

function create(server: Target, name: string, cpu: string, query = ''): Promise<HttpResponse> {
  const spec = { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] };
  return request(server, 'POST', `${namespace}/pods${query}`, { metadata: { name }, spec });
}
