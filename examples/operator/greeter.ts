import {
  type ApiObject,
  type Client,
  controller,
  controllerReference,
  createEventRecorder,
  createInformerFactory,
  type QueueMetrics,
  type ResourceReference,
} from 'cl-apiserver/client';

export interface Greeting extends ApiObject {
  spec: { text: string };
  status?: { observedGeneration?: number };
}

export const greetings: ResourceReference<Greeting> = { group: 'example.com', version: 'v1', resource: 'greetings' };
const configMaps: ResourceReference = { group: '', version: 'v1', resource: 'configmaps' };

/** Keeps a ConfigMap with the text of each Greeting until the signal aborts. */
export async function runGreeter(client: Client, signal: AbortSignal, metrics?: QueueMetrics): Promise<void> {
  const informers = createInformerFactory(client, { signal, onError: console.error });
  const events = createEventRecorder(client, { component: 'greeter', signal });
  const greeter = controller({
    name: 'greeter',
    informers,
    for: greetings,
    owns: [configMaps],
    concurrency: 4,
    onError: console.error,
    ...(metrics ? { metrics } : {}),
    async reconcile({ name, namespace, object: greeting }) {
      if (!greeting || greeting.metadata?.deletionTimestamp) return;
      const metadata = { name, namespace, ownerReferences: [controllerReference(greeting)] };
      const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: greeting.spec.text } };
      await client.resource(configMaps).apply(configMap, { fieldManager: 'greeter', force: true, signal });
      const { generation } = greeting.metadata ?? {};
      if (greeting.status?.observedGeneration === generation) return;
      const status = { status: { observedGeneration: generation } };
      await client.resource(greetings).patch(name, status, { type: 'merge', subresource: 'status', namespace, signal });
      events.record(greeting, { type: 'Normal', reason: 'Greeted', message: `says ${greeting.spec.text}` });
    },
  });
  await greeter.run(signal);
}
