import type { ApiRelease } from '../../../src/scheme/api-release.ts';
import { serveObjectStore } from '../../../src/server/serve-object-store.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import type { StoredValue } from '../../../src/storage/port/object-store.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { untilReady } from '../until-ready.ts';

/** A server of a release with everything that the release has, on a store of its own. */
export interface ReleaseServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly store: MemoryStore;
}

/** All versions and all features of a release. */
export const everythingOn = {
  runtimeConfig: ['api/all=true'],
  featureGates: ['AllAlpha=true', 'AllBeta=true'],
} satisfies TestServerOptions;

/** Starts a server of a release on a store with the values of another one. */
export async function startRelease(
  emulatedRelease: ApiRelease,
  values: readonly StoredValue[] = [],
  options: TestServerOptions = everythingOn,
): Promise<ReleaseServer> {
  const store = new MemoryStore();
  for (const { key, value } of values) await store.create(key, value);
  const served = await serveObjectStore(store, '127.0.0.1:0');
  const server = await startServer({
    emulatedRelease,
    // The only writes are those of the story.
    priorityAndFairness: false,
    ...options,
    store: { kind: 'remote', endpoint: served.endpoint },
  });
  await untilReady(server);
  const stop = async (): Promise<void> => {
    await server.stop();
    await served.close();
  };
  return { server, store, [Symbol.asyncDispose]: stop };
}

/** All values of a store. */
export async function valuesOf(store: MemoryStore): Promise<readonly StoredValue[]> {
  const values: StoredValue[] = [];
  for await (const page of store.list('/')) values.push(...page.values);
  return values;
}
