import { watched } from '../../client/controllers/watch-sources.ts';
import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { untilServed } from '../until-served.ts';
import { type EndpointSlice, endpointSlices, nodes, type Service, type SliceEndpoint } from '../resources.ts';
import { stamped, TriggerTimes } from '../endpoints/trigger-times.ts';
import { runServiceController } from '../endpoints/run-service-controller.ts';
import { backendsOf, isHeadless, byPorts, type ServiceBackend } from '../endpoints/service-backends.ts';
import { controllerReference } from '../workloads/controller-reference.ts';
import { isTerminatingNamespace } from '../is-terminating.ts';
import { createSliceWriter, sliceRetryRate } from './slice-writer.ts';
import { type EndpointGroup, fillSlices, type SlicePlan } from './fill-slices.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';

/**
 * Plans the EndpointSlices for the backends of a Service with addresses of one family. A Service
 * without endpoints has one empty slice.
 */
function planSlices(
  present: readonly EndpointSlice[],
  backends: readonly ServiceBackend[],
  { addressType, limit }: { readonly addressType: string; readonly limit: number },
  toEndpoint: (backend: ServiceBackend) => SliceEndpoint,
): SlicePlan {
  const groups = new Map([...byPorts(backends)].map(([key, group]) => [key, groupOf(group, toEndpoint)]));
  if (groups.size === 0) return planEmpty(present, addressType);
  return fillSlices(present, groups, {
    addressType,
    limit,
    keyOf: ({ targetRef }) => targetRef?.uid ?? '',
  });
}

function planEmpty(present: readonly EndpointSlice[], addressType: string): SlicePlan {
  const empty = { addressType, endpoints: [], ports: [] };
  const [first, ...deletions] = present;
  if (!first) return { creations: [empty], updates: [], deletions };
  const isEmpty = !first.endpoints?.length && !first.ports?.length;
  return { creations: [], updates: isEmpty ? [] : [{ ...first, ...empty }], deletions };
}

function groupOf(
  backends: readonly ServiceBackend[],
  toEndpoint: (backend: ServiceBackend) => SliceEndpoint,
): EndpointGroup {
  return { ports: backends[0]?.ports ?? [], endpoints: backends.map(toEndpoint) };
}

function endpointOf(
  { ip, ready, serving, terminating, hostname, nodeName, target }: ServiceBackend,
  positionOf: (nodeName: string) => EndpointPosition,
): SliceEndpoint {
  return {
    addresses: [ip],
    conditions: { ready, serving, terminating },
    ...(hostname ? { hostname } : {}),
    ...(nodeName ? positionOf(nodeName) : {}),
    targetRef: target,
  };
}

/**
 * Adds hints to an endpoint, the nodes and zones that should use it, by the traffic distribution.
 */
function withHints(endpoint: SliceEndpoint, distribution: string | undefined): SliceEndpoint {
  const { conditions, zone, nodeName } = endpoint;
  if (distribution === undefined || !conditions?.ready) return endpoint;
  const forNodes = distribution === 'PreferSameNode' && nodeName ? { forNodes: [{ name: nodeName }] } : {};
  const hints = { ...(zone ? { forZones: [{ name: zone }] } : {}), ...forNodes };
  return Object.keys(hints).length === 0 ? endpoint : { ...endpoint, hints };
}

/** Keeps the EndpointSlices of each Service with a selector. */
export const endpointSliceController: ControllerDefinition = {
  name: 'endpointslice-controller',
  alias: 'endpointslice',
  component: 'endpoint-slice-controller',
  account: 'endpointslice-controller',
  run,
};

const index = 'service';

async function run(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { client, discovery, informers, identifiers, options, events } = context;
  const { labelDomain, apiDomain } = identifiers;
  const reference = await untilServed({ client, discovery }, endpointSlices(identifiers), ['v1beta1'], signal);
  const informer = informers.informer(reference);
  const nodeInformer = informers.informer(nodes);
  const limit = options['max-endpoints-per-slice'];
  const writer = createSliceWriter(client, informer, signal);
  const serviceLabel = `${labelDomain}/service-name`;
  const managedBy = { [`endpointslice.${labelDomain}/managed-by`]: `endpointslice-controller.${apiDomain}` };
  const times = new TriggerTimes();
  const annotation = `endpoints.${labelDomain}/last-change-trigger-time`;
  const headlessLabel = `service.${labelDomain}/headless`;
  const isOwn = ({ metadata }: EndpointSlice): boolean =>
    Object.entries(managedBy).every(([name, value]) => metadata.labels?.[name] === value);
  informer.addIndex(index, (slice) =>
    isOwn(slice) ? [`${slice.metadata.namespace}/${slice.metadata.labels?.[serviceLabel]}`] : [],
  );

  const positionOf = (nodeName: string): EndpointPosition =>
    endpointPosition(nodeName, nodeInformer.get(nodeName)?.metadata.labels ?? {}, reference.version, identifiers);

  function metadataOf(service: Service) {
    const { name, namespace, labels } = service.metadata;
    const owner = controllerReference({ ...service, apiVersion: 'v1', kind: 'Service' });
    const headless = isHeadless(service) ? { [headlessLabel]: '' } : {};
    return {
      generateName: `${name}-`,
      namespace,
      labels: { ...labels, [serviceLabel]: name, ...managedBy, ...headless },
      ownerReferences: [owner],
    };
  }

  await nodeInformer.synced(signal);
  await runServiceController(
    {
      name: 'endpointslice',
      concurrency: options['concurrent-service-endpoint-syncs'],
      retryRate: sliceRetryRate,
      kept: watched<EndpointSlice>(reference, (slice) => {
        const name = slice.metadata.labels?.[serviceLabel];
        return name !== undefined && isOwn(slice) ? [{ namespace: slice.metadata.namespace ?? '', name }] : [];
      }),
      async sync(service, pods, { name, namespace }) {
        const present = informer.byIndex(index, `${namespace}/${name}`);
        const families = service ? (service.spec.ipFamilies ?? ['IPv4']) : [];
        const others = present.filter(({ addressType }) => !families.includes(addressType));
        for (const slice of others) await writer.remove(slice);
        if (!service) return times.forget(name, namespace);
        const changedMs = times.next(service, pods);
        try {
          for (const family of families) {
            const ofFamily = present.filter(({ addressType }) => addressType === family);
            const plan = planSlices(
              ofFamily,
              backendsOf(service, pods, family),
              { addressType: family, limit },
              (backend) => withHints(endpointOf(backend, positionOf), service.spec.trafficDistribution),
            );
            await writer.carryOut({
              plan,
              present: ofFamily,
              metadata: metadataOf(service),
              source: `Service ${namespace}/${name}`,
              annotate: (annotations) => stamped(annotations, annotation, changedMs),
              followsAnnotations: false,
            });
          }
        } catch (error) {
          if (!signal.aborted && !hasTerminatingNamespace(error)) events.record(service, notUpdated(service, error));
          throw error;
        }
      },
    },
    context,
    signal,
  );
}

/** The writer says which write failed; its cause is the server's error. */
function hasTerminatingNamespace(error: unknown): boolean {
  return error instanceof Error && isTerminatingNamespace(error.cause);
}

function notUpdated({ metadata: { name, namespace } }: Service, error: unknown): EventDescription {
  const text = error instanceof Error ? error.message : String(error);
  const message = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${text}`;
  return { type: 'Warning', reason: 'FailedToUpdateEndpointSlices', message };
}

/** The fields of an endpoint that say where it is. */
type EndpointPosition = Pick<SliceEndpoint, 'nodeName' | 'zone' | 'topology'>;

/**
 * The position of the endpoints on a node with labels, in a version of the API: v1 has the zone,
 * v1beta1 has labels, the region included.
 */
function endpointPosition(
  nodeName: string,
  labels: Readonly<Record<string, string>>,
  version: string,
  { labelDomain }: Identifiers,
): EndpointPosition {
  const zoneLabel = `topology.${labelDomain}/zone`;
  const zone = labels[zoneLabel];
  if (version === 'v1') return { nodeName, ...(zone === undefined ? {} : { zone }) };
  const regionLabel = `topology.${labelDomain}/region`;
  const region = labels[regionLabel];
  return {
    nodeName,
    topology: {
      [`${labelDomain}/hostname`]: nodeName,
      ...(zone === undefined ? {} : { [zoneLabel]: zone }),
      ...(region === undefined ? {} : { [regionLabel]: region }),
    },
  };
}
