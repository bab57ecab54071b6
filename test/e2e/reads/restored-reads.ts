import assert from 'node:assert/strict';
import { objectsPrefix } from '../../../src/storage/port/object-key.ts';
import type { ObjectStore } from '../../../src/storage/port/object-store.ts';
import { newAgent, type HttpResponse, request, type Target } from '../../http/http-client.ts';
import type { OpenWatch } from '../../http/reads/open-watch.ts';
import { configMaps, listOf } from '../../http/reads/world.ts';
import { until } from '../../http/until.ts';
import type { EtcdMember } from '../../robustness/etcd-members.ts';

/** The prefix of all keys of the servers. */
export const prefix = '/registry';
export const configMapsAt = { group: '', resource: 'configmaps' };

/** The names of the ConfigMaps that a store has, in order. */
export async function storedNames(store: ObjectStore): Promise<readonly string[]> {
  const start = objectsPrefix(prefix, configMapsAt, 'default');
  const names: string[] = [];
  for await (const { values } of store.list(start)) names.push(...values.map(({ key }) => key.slice(start.length)));
  return names;
}

/** The names in a list. */
function namesOf(response: HttpResponse): readonly string[] {
  return listOf(response).items.map(({ metadata }) => metadata.name);
}

/** On a connection of its own, so that each worker is asked. */
export async function onOwnConnection(server: Target, target: string): Promise<HttpResponse> {
  const agent = newAgent(server);
  try {
    return await request({ ...server, agent }, 'GET', target);
  } finally {
    await agent.close();
  }
}

/**
 * Reads until the watches have ended and the server is ready again; each answer until then is right or an error, and afterwards it is
 * right.
 */
export async function checkReads(server: Target, store: ObjectStore, watches: readonly OpenWatch[]): Promise<void> {
  const stored = await storedNames(store);
  let ended = 0;
  for (const watch of watches) void watch.ended.then(() => ended++);
  await until('the end of the watches', async () => {
    const response = await onOwnConnection(server, configMaps);
    if (response.status === 200) assert.deepEqual(namesOf(response), stored);
    return ended === watches.length;
  });
  for (const { events } of watches) {
    assert.deepEqual(
      events.map(({ type, object }) => [type, object['code'], object['reason']]),
      [['ERROR', 410, 'Expired']],
    );
  }
  await until('readyz', async () => (await onOwnConnection(server, '/readyz')).status === 200);
  for (let i = 0; i < 8; i++) {
    assert.deepEqual(namesOf(await onOwnConnection(server, configMaps)), stored);
    assert.deepEqual(namesOf(await onOwnConnection(server, `${configMaps}?resourceVersion=0`)), stored);
  }
}

/** Restores all members from their copies, while none of them runs. */
export async function restoreAll(members: readonly EtcdMember[]): Promise<void> {
  await Promise.all(members.map((member) => member.kill()));
  await Promise.all(members.map((member) => member.restore()));
}
