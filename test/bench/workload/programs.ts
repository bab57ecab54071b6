import type { LoadTarget } from '../load/http-client.ts';
import { eachOf } from '../load/press.ts';
import { Watcher } from '../load/watcher.ts';
import { ClientPool } from './client-pool.ts';
import { discoveryPaths, managerCollections, schedulerCollections } from './list-watches.ts';
import { ProgramClient } from './program-client.ts';

/** The clients of a control plane, with the watches that they hold open. */
export interface Programs {
  readonly manager: ProgramClient;
  readonly scheduler: ProgramClient;
  /** The connections of two nodes. */
  readonly nodes: ClientPool;
  readonly user: ClientPool;
  /** The nodes' watch of all pods. */
  readonly podWatch: Watcher;
  close(): Promise<void>;
}

/** How often the controller manager reads discovery at its start. */
const discoveries = 4;

/** Starts the clients as the programs start: discovery, then a list and a watch of each collection. */
export async function startPrograms(target: LoadTarget): Promise<Programs> {
  const manager = new ProgramClient(target);
  const scheduler = new ProgramClient(target);
  const nodes = new ClientPool(target, 64);
  const user = new ClientPool(target, 16);
  for (let round = 0; round < discoveries; round++) {
    for (const path of discoveryPaths) await manager.send({ method: 'GET', path: `${path}?timeout=32s` });
  }
  await eachOf(managerCollections.length, 10, (index) => follow(manager, managerCollections[index] ?? ''));
  await eachOf(schedulerCollections.length, 10, (index) => follow(scheduler, schedulerCollections[index] ?? ''));
  const podWatch = await Watcher.connect(target);
  await podWatch.start('/api/v1/pods?watch=1&resourceVersion=0');
  return {
    manager,
    scheduler,
    nodes,
    user,
    podWatch,
    async close() {
      manager.close();
      scheduler.close();
      podWatch.close();
      await Promise.all([nodes.close(), user.close()]);
    },
  };
}

/** Lists a collection and follows it, as informers do. */
async function follow(client: ProgramClient, collection: string): Promise<void> {
  const query = collection.includes('?') ? '&' : '?';
  await client.send({ method: 'GET', path: `${collection}${query}limit=500&resourceVersion=0` });
  await client.watch(`${collection}${query}allowWatchBookmarks=true&resourceVersion=0&timeoutSeconds=500&watch=true`);
}
