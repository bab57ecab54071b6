import type { ApiObject, Client, ResourceReference } from '../../../src/client/index.ts';
import { type BuiltInResources, builtInResources } from '../../../src/client/built-in-resources.ts';
import { type Pod, pods } from '../../../src/controllers/resources.ts';
import { until } from '../until.ts';

/** The identifiers of the server; those of the field, whose tests these stories retell. */
export const identifiers = 'kubernetes';

/** The built-in resources of the server. */
export const resources: BuiltInResources = builtInResources(identifiers);

/** The annotation that says how a pod ends on a stand-in node. */
export const outcome = 'stand-in.kubernetes.io/outcome';

/** The server of the stories. Each story has a namespace of its own. */
export interface World {
  readonly client: Client;
  /** Creates a namespace with a default service account, and returns its name. */
  newNamespace(): Promise<string>;
}

/** Creates an object. The server completes it. */
export function create<T extends ApiObject>(
  { client }: World,
  reference: ResourceReference<T>,
  namespace: string,
  object: object,
): Promise<T> {
  // Stories write only the fields that they are about.
  return client.resource(reference).create(object as T, namespace === '' ? {} : { namespace });
}

/** The template of pods with a label `app`. */
export function template(app: string, { image = 'app:1', annotations = {}, spec = {} } = {}) {
  return { metadata: { labels: { app }, annotations }, spec: { containers: [{ name: 'c', image }], ...spec } };
}

/** The spec of a workload whose pods have a label `app`. */
export function workload(app: string, spec: object = {}, options?: Parameters<typeof template>[1]) {
  return {
    metadata: { name: app, labels: { app } },
    spec: { selector: { matchLabels: { app } }, template: template(app, options), ...spec },
  };
}

/** The pods of a namespace with a label `app`, by name. */
export async function podsOf({ client }: World, namespace: string, app: string): Promise<Pod[]> {
  const { items } = await client.resource(pods).list({ namespace, labelSelector: `app=${app}` });
  return items.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
}

/** Tells the stand-in node how a pod ends. */
export async function tell({ client }: World, { metadata }: Pod, result: string): Promise<void> {
  const { name, namespace } = metadata;
  const change = { metadata: { annotations: { [outcome]: result } } };
  await client.resource(pods).patch(name, change, { type: 'merge', namespace });
}

/** Waits until an object fulfils a condition, and returns it. */
export async function reached<T extends ApiObject>(
  { client }: World,
  reference: ResourceReference<T>,
  namespace: string,
  name: string,
  condition: (object: T) => boolean,
): Promise<T> {
  let last: T | undefined;
  try {
    await until(`${reference.resource} ${name}`, async () => {
      last = await client.resource(reference).get(name, { namespace });
      return condition(last);
    });
  } catch (error) {
    throw new Error(`${String(error)}; last state: ${JSON.stringify(last)}`, { cause: error });
  }
  if (!last) throw new Error('no state');
  return last;
}

/** The value of a condition in a status. */
export function conditionIn(
  status: { conditions?: readonly { type: string; status: string }[] } | undefined,
  type: string,
): string | undefined {
  return status?.conditions?.find((condition) => condition.type === type)?.status;
}

/** Waits for an Event with a source, a reason and, if it is given, a message. */
export async function reportedBy(
  { client }: World,
  namespace: string,
  component: string,
  reason: string,
  message?: string,
): Promise<void> {
  await until(`${reason} of ${component}`, async () => {
    const { items } = await client.resource(resources.events).list({ namespace });
    return items.some(
      (event) =>
        event.source?.component === component && event.reason === reason && (!message || event.message === message),
    );
  });
}
