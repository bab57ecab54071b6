import { pause } from '../../async/timers.ts';
import type { Client } from '../../client/client.ts';
import { discoverAll } from '../../client/discovery.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import { ignoreReasons } from '../../client/status-error.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The kinds of the API of metrics: the resources `pods` and `nodes` of its group. */
export type MetricsResource = 'pods' | 'nodes';

const version = 'v1beta1';

/** Returns the reference to a resource of metrics. */
export function metricsReference({ apiDomain }: Identifiers, resource: MetricsResource): ResourceReference {
  return { group: `metrics.${apiDomain}`, version, resource, namespaced: resource === 'pods' };
}

/** Time between two looks for the new kinds. */
const retryMs = 50;

/**
 * Defines the kinds of the API of metrics as custom ones, and waits until they are served. If the
 * server has them already, such as from an aggregated server, nothing is defined.
 */
export async function defineMetricsKinds(client: Client, identifiers: Identifiers, signal: AbortSignal): Promise<void> {
  const group = `metrics.${identifiers.apiDomain}`;
  const served = async (): Promise<number> => {
    const { resources } = await discoverAll(client, signal);
    return resources.filter((each) => each.group === group && each.version === version).length;
  };
  if ((await served()) > 0) return;
  await Promise.all([define(client, identifiers, 'pods', signal), define(client, identifiers, 'nodes', signal)]);
  while ((await served()) < 2) {
    await pause(retryMs, signal);
    signal.throwIfAborted();
  }
}

async function define(
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
