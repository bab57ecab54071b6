import { builtInResources, type Client, type corev1 } from 'cl-apiserver/client';

const { configmaps, namespaces } = builtInResources();

/** Keeps a ConfigMap `owner` in each namespace with its label `team`, until the signal aborts or the watch ends. */
export async function mirrorLabels(client: Client, signal: AbortSignal): Promise<void> {
  const { items, metadata } = await client.resource(namespaces).list({ signal });
  for (const namespace of items) await writeOwner(client, namespace);
  // All changes after the list; an informer also survives broken connections.
  const resourceVersion = metadata.resourceVersion ?? '';
  for await (const { type, object } of client.resource(namespaces).watch({ resourceVersion, signal })) {
    if (type === 'ADDED' || type === 'MODIFIED') await writeOwner(client, object);
  }
}

async function writeOwner(client: Client, { metadata }: corev1.Namespace): Promise<void> {
  const team = metadata?.labels?.['team'];
  if (team === undefined) return;
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'owner', namespace: metadata?.name },
    data: { team },
  };
  await client.resource(configmaps).apply(object, { fieldManager: 'mirror-labels', force: true });
}
