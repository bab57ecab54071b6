import type { Invocation } from '../../../command.ts';
import { isJsonObject, type JsonObject } from '../../../../meta/json-value.ts';
import { labelsOf, nameOf } from '../../../../meta/object-meta.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { podTemplateOf } from '../../../objects/pod-template-of.ts';
import { readPairs } from '../../../objects/read-pairs.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import type { exposeFlags } from './expose-flags.ts';
import { type Generated, writeGenerated } from './generate-object.ts';
import { withOverrides } from './overrides.ts';

type ExposeOptions = Invocation<typeof exposeFlags>['options'];

/** `cl expose TYPE NAME`: creates a service for the pods of an object. */
export async function expose({ words, options, io }: Invocation<typeof exposeFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const { filename, recursive, kustomize } = options;
    const selected = await selectObjects(session, { words, filename, recursive, kustomize });
    const exposeOne = async ({ load, manifest }: SelectedObject): Promise<void> => {
      const service = await withOverrides(serviceFor(manifest?.object ?? (await load()), options), options);
      await writeGenerated(session, options, service, 'exposed');
    };
    await forEachObject(selected, exposeOne, { io, done: 'exposed' });
  });
}

function serviceFor(object: JsonObject, options: ExposeOptions): Generated {
  const { name = nameOf(object), type, clusterIp, externalIp, loadBalancerIp, sessionAffinity } = options;
  const labels: JsonObject =
    options.labels.length > 0 ? Object.fromEntries(readPairs(options.labels)) : { ...labelsOf(object) };
  const spec = {
    ports: portsOf(object, options),
    selector: selectorFor(object, options.selector),
    ...(type ? { type } : {}),
    ...(clusterIp ? { clusterIP: clusterIp } : {}),
    ...(externalIp ? { externalIPs: [externalIp] } : {}),
    ...(loadBalancerIp ? { loadBalancerIP: loadBalancerIp } : {}),
    ...(sessionAffinity ? { sessionAffinity } : {}),
  };
  const metadata: JsonObject = { ...(Object.keys(labels).length > 0 ? { labels } : {}), name };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec, status: { loadBalancer: {} } };
}

function selectorFor(object: JsonObject, text: string | undefined): JsonObject {
  if (text !== undefined) return Object.fromEntries(readPairs(text.split(',')));
  const spec = objectAt(object, 'spec');
  const labels = isSet(objectAt(spec, 'selector'), 'matchLabels')
    ? objectAt(spec, 'selector', 'matchLabels')
    : undefined;
  if (object.kind === 'Pod') return podLabels(object);
  const plain = isJsonObject(spec.selector) && !isSet(spec.selector, 'matchExpressions') ? spec.selector : undefined;
  const selector = labels ?? plain;
  if (selector && Object.keys(selector).length > 0) return selector;
  throw new CliError(`${stringAt(object, 'kind')} has no selector that a service could have`, {
    hint: 'give --selector',
  });
}

function podLabels(pod: JsonObject): JsonObject {
  const labels = labelsOf(pod);
  if (Object.keys(labels).length > 0) return { ...labels };
  throw new CliError('the pod has no labels and cannot be exposed', { hint: 'give --selector' });
}

function portsOf(object: JsonObject, { port, targetPort, protocol }: ExposeOptions): JsonObject[] {
  const found =
    port === undefined ? declaredPorts(object) : port.split(',').map((text) => ({ port: Number(text), protocol }));
  if (found.length === 0)
    throw new CliError("couldn't find port via --port flag or introspection", { hint: 'give --port' });
  return found.map(({ port: number, protocol: declared }, index) => ({
    ...(found.length > 1 ? { name: `port-${index + 1}` } : {}),
    port: number,
    protocol: protocol ?? declared ?? 'TCP',
    targetPort: targetOf(targetPort, number),
  }));
}

function targetOf(text: string | undefined, port: number): string | number {
  if (text === undefined) return port;
  return /^\d+$/.test(text) ? Number(text) : text;
}

interface DeclaredPort {
  readonly port: number;
  readonly protocol: string | undefined;
}

/** The ports of the containers, or of a service. */
function declaredPorts(object: JsonObject): DeclaredPort[] {
  const isService = object.kind === 'Service';
  const lists = isService
    ? [objectsAt(objectAt(object, 'spec'), 'ports')]
    : objectsAt(objectAt(podTemplateOf(object), 'spec'), 'containers').map((container) =>
        objectsAt(container, 'ports'),
      );
  return lists.flat().map((each) => ({
    port: numberAt(each, isService ? 'port' : 'containerPort') ?? 0,
    protocol: stringAt(each, 'protocol') || undefined,
  }));
}
