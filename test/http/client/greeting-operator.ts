import {
  type ApiObject,
  type Client,
  controller,
  controllerReference,
  createEventRecorder,
  createInformerFactory,
  type GenericObject,
  type ResourceReference,
} from '../../../src/client/index.ts';

interface Greeting extends ApiObject {
  spec: { text: string };
  status?: { observedGeneration?: number };
}

const greetings: ResourceReference<Greeting> = { group: 'example.com', version: 'v1', resource: 'greetings' };
const configMaps: ResourceReference = { group: '', version: 'v1', resource: 'configmaps' };

/** Keeps a ConfigMap with the text of each Greeting. */
export async function runGreeter(client: Client, signal: AbortSignal): Promise<void> {
  const informers = createInformerFactory(client, { signal, onError: console.error });
  const events = createEventRecorder(client, { component: 'greeter', signal });
  const greeter = controller({
    name: 'greeter',
    informers,
    for: greetings,
    owns: [configMaps],
    concurrency: 4,
    onError: console.error,
    async reconcile({ name, namespace, object: greeting }) {
      if (!greeting || greeting.metadata?.deletionTimestamp) return;
      const configMap: GenericObject = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace, ownerReferences: [controllerReference(greeting)] },
        data: { text: greeting.spec.text },
      };
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
