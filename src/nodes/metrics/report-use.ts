import type { ApiObject, GenericObject } from '../../client/api-object.ts';
import type { Client } from '../../client/client.ts';
import { controller } from '../../client/controllers/controller.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import { type Node, nodes, type Pod, pods } from '../../controllers/resources.ts';
import { isActive } from '../../kinds/core/pod.ts';
import { readAnnotation } from '../agent-server/runs/read-annotation.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { formatTime } from '../../meta/time.ts';
import { normaliseQuantity } from '../../meta/quantity.ts';
import { pause } from '../../async/timers.ts';
import { discoverAll } from '../../client/discovery.ts';

/** The kinds of the API of metrics: the resources `pods` and `nodes` of its group. */
type MetricsResource = 'pods' | 'nodes';

const version = 'v1beta1';

/** Returns the reference to a resource of metrics. */
function metricsReference({ apiDomain }: Identifiers, resource: MetricsResource): ResourceReference {
  return { group: `metrics.${apiDomain}`, version, resource, namespaced: resource === 'pods' };
}

/** Time between two looks for the new kinds. */
const retryMs = 50;

/**
 * Defines the kinds of the API of metrics as custom ones, and waits until they are served. If the
 * server has them already, such as from an aggregated server, nothing is defined.
 */
async function defineMetricsKinds(client: Client, identifiers: Identifiers, signal: AbortSignal): Promise<void> {
  const group = `metrics.${identifiers.apiDomain}`;
  const served = async (): Promise<number> => {
    const { resources } = await discoverAll(client, signal);
    return resources.filter((each) => each.group === group && each.version === version).length;
  };
  if ((await served()) > 0) return;
  const plurals = ['pods', 'nodes'] as const;
  await Promise.all(plurals.map((plural) => createDefinition(client, identifiers, plural, signal)));
  while ((await served()) < 2) {
    await pause(retryMs, signal);
    signal.throwIfAborted();
  }
}

async function createDefinition(
  client: Client,
  { apiDomain, labelDomain, schemaExtensionPrefix }: Identifiers,
  plural: MetricsResource,
  signal: AbortSignal,
): Promise<void> {
  const kind = plural === 'pods' ? 'PodMetrics' : 'NodeMetrics';
  const group = `metrics.${apiDomain}`;
  const definitions = { group: `apiextensions.${apiDomain}`, version: 'v1', resource: 'customresourcedefinitions' };
  const schema = { openAPIV3Schema: { type: 'object', [`${schemaExtensionPrefix}preserve-unknown-fields`]: true } };
  const definition = {
    metadata: {
      name: `${plural}.${group}`,
      annotations: { [`api-approved.${labelDomain}`]: 'unapproved, of stand-in nodes' },
    },
    spec: {
      group,
      scope: plural === 'pods' ? 'Namespaced' : 'Cluster',
      names: { plural, kind, listKind: `${kind}List`, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
  await ignoreReasons(
    client.resource({ ...definitions, namespaced: false }).create(definition, { signal }),
    'AlreadyExists',
  );
}

/** The nodes whose use is reported. */
interface UseOptions {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly identifiers: Identifiers;
  /** The names of the stand-in nodes. */
  readonly names: ReadonlySet<string>;
  readonly onError: (error: unknown) => void;
}

/** An object whose use is reported, and the fields of its metrics that say so. */
interface UseSource<T extends ApiObject> {
  readonly reference: ResourceReference<T>;
  readonly resource: MetricsResource;
  readonly useOf: (object: T) => object | undefined;
}

/** Objects whose use is reported at the same time. */
const concurrency = 4;

/**
 * Keeps the API of metrics for the pods and nodes whose annotations state their use, so that
 * autoscalers have something to read: nothing is measured, and nothing is reported of others. Ends
 * when the signal aborts.
 */
export async function reportUse(options: UseOptions, signal: AbortSignal): Promise<void> {
  const { client, identifiers, names } = options;
  let defining: Promise<void> | undefined;
  const define = (): Promise<void> =>
    (defining ??= defineMetricsKinds(client, identifiers, signal).catch((error: unknown) => {
      defining = undefined;
      throw error;
    }));
  const podSource: UseSource<Pod> = {
    reference: pods,
    resource: 'pods',
    useOf: (pod) => (names.has(pod.spec.nodeName ?? '') ? podUse(pod, identifiers) : undefined),
  };
  const nodeSource: UseSource<Node> = {
    reference: nodes,
    resource: 'nodes',
    useOf: ({ metadata: { name, annotations } }) => {
      const usage = names.has(name) ? standInUse(annotations, identifiers) : undefined;
      return usage && { usage };
    },
  };
  await Promise.all([
    keepMetrics(podSource, options, define, signal),
    keepMetrics(nodeSource, options, define, signal),
  ]);
}

/** The use of a running pod, all of it by the first container. */
function podUse(pod: Pod, identifiers: Identifiers): object | undefined {
  const use = standInUse(pod.metadata.annotations, identifiers);
  if (!use || pod.status?.phase !== 'Running' || !isActive(pod)) return undefined;
  const idle: ResourceUse = { cpu: '0', memory: '0' };
  const containers = (pod.spec.containers ?? []).map(({ name }, index) => ({ name, usage: index === 0 ? use : idle }));
  return { containers };
}

/** Writes the metrics of objects of one resource when their use changes. */
async function keepMetrics<T extends Pod | Node>(
  { reference, resource, useOf }: UseSource<T>,
  { client, informers, identifiers, onError }: UseOptions,
  define: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const target = metricsReference(identifiers, resource);
  /** The written metrics as text, by the keys of objects. */
  const written = new Map<string, string>();

  await controller<T>({
    name: `stand-in-${resource}-use`,
    informers,
    for: reference,
    concurrency,
    onError,
    async reconcile({ object, name, namespace }) {
      const key = `${namespace}/${name}`;
      const use = object && useOf(object);
      if (!object || !use) {
        if (written.delete(key)) await remove(name, namespace);
        return;
      }
      const text = JSON.stringify([object.metadata.uid, object.metadata.labels, use]);
      if (written.get(key) === text) return;
      await define();
      await client.resource(target).apply(metricsOf(object, use), { fieldManager: 'stand-in', force: true, signal });
      written.set(key, text);
    },
  }).run(signal);

  /** The metrics have the name and the labels of the object, and go with it. */
  function metricsOf({ kind = '', metadata: { name, namespace, uid, labels = {} } }: T, use: object): GenericObject {
    const ownerReferences = [{ apiVersion: 'v1', kind, name, uid }];
    return {
      apiVersion: `${target.group}/${target.version}`,
      kind: resource === 'pods' ? 'PodMetrics' : 'NodeMetrics',
      metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels, ownerReferences },
      timestamp: formatTime(Date.now()),
      // The use is momentary, not an average.
      window: '0s',
      ...use,
    };
  }

  async function remove(name: string, namespace: string): Promise<void> {
    await ignoreReasons(client.resource(target).delete(name, { namespace, signal }), 'NotFound');
  }
}

/** Used resources, as in the API of metrics. */
interface ResourceUse {
  readonly cpu: string;
  readonly memory: string;
}

/**
 * The use of resources that annotations ask for, `stand-in.<domain>/cpu` and `/memory`; one that is
 * missing is 0. Undefined without any, or if one is not a quantity.
 */
function standInUse(
  annotations: Readonly<Record<string, string>> | undefined,
  identifiers: Identifiers,
): ResourceUse | undefined {
  const cpu = readAnnotation(annotations, 'cpu', identifiers);
  const memory = readAnnotation(annotations, 'memory', identifiers);
  if (cpu === undefined && memory === undefined) return undefined;
  const use = { cpu: normaliseQuantity(cpu ?? '0'), memory: normaliseQuantity(memory ?? '0') };
  return use.cpu === undefined || use.memory === undefined ? undefined : { cpu: use.cpu, memory: use.memory };
}
