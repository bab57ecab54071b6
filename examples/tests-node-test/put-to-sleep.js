import { builtInResources } from 'cl-apiserver/client';

const { deployments } = builtInResources();

/**
 * Scales the Deployments of a namespace that are labelled `sleeps=true` to zero.
 *
 * @param {import('cl-apiserver/client').Client} client
 * @param {string} namespace
 * @returns {Promise<string[]>} the names of those that were awake
 */
export async function putToSleep(client, namespace) {
  const { items } = await client.resource(deployments).list({ namespace, labelSelector: 'sleeps=true' });
  const awake = items.filter(({ spec }) => spec?.replicas !== 0).map(({ metadata }) => metadata?.name ?? '');
  for (const name of awake) {
    await client.resource(deployments).patch(name, { spec: { replicas: 0 } }, { namespace, type: 'merge' });
  }
  return awake;
}
