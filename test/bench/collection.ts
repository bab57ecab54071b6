import type { ApiServer, Lab } from './lab.ts';
import { withClients } from './lab.ts';
import { eachOf } from './load/press.ts';

/** The objects of the collection are spread over so many namespaces, and over so many values of one label. */
const namespaces = 10;

/** The path of the ConfigMaps of one of the bench's namespaces. */
export function configMapsPath(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

/** The collection as a whole, its label selector for one in ten, one of its namespaces, one of its objects. */
export const paths = {
  all: '/api/v1/configmaps',
  labelled: '/api/v1/configmaps?labelSelector=tenth%3D3',
  namespace: configMapsPath('bench-3'),
  object: `${configMapsPath('bench-3')}/object-3`,
};

/** A ConfigMap whose answer is about 940 bytes long. */
export function configMap(name: string, labels: Readonly<Record<string, string>> = {}, text = 'x'): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench', ...labels } },
    data: { text: text.repeat(Math.ceil(470 / text.length)) },
  });
}

/** Makes a namespace unless it is there. */
export async function ensureNamespace(server: ApiServer, name: string): Promise<void> {
  await withClients(server, 1, async ([client]) => {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await client?.send({ method: 'POST', path: '/api/v1/namespaces', body }).catch((error: unknown) => {
      if (!String(error).includes(' 409 ')) throw error;
    });
  });
}

/** Fills every server with the collection, once. */
export function fillCollection(lab: Lab): () => Promise<void> {
  let filled: Promise<void> | undefined;
  return () => {
    filled ??= fillAll(lab);
    return filled;
  };
}

async function fillAll({ servers, settings }: Lab): Promise<void> {
  for (const server of servers) {
    for (let index = 0; index < namespaces; index++) await ensureNamespace(server, `bench-${index}`);
    await withClients(server, 32, (clients) =>
      eachOf(settings.objects, clients.length, async (index, worker) => {
        const body = configMap(`object-${index}`, { tenth: String(Math.floor(index / namespaces) % 10) });
        const path = configMapsPath(`bench-${index % namespaces}`);
        await clients[worker]?.send({ method: 'POST', path, body }).catch((error: unknown) => {
          if (!String(error).includes(' 409 ')) throw error;
        });
      }),
    );
  }
}
