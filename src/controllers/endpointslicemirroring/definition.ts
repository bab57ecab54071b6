import { watched } from '../../client/controllers/watch-sources.ts';
import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { untilServed } from '../until-served.ts';
import { fillSlices, type EndpointGroup } from '../endpointslices/fill-slices.ts';
import { createSliceWriter, sliceRetryRate } from '../endpointslices/slice-writer.ts';
import { leaderAnnotation } from '../endpoints/leader-annotation.ts';
import {
  endpoints,
  type Endpoints,
  type EndpointSlice,
  endpointSlices,
  type Service,
  services,
  type SliceEndpoint,
} from '../resources.ts';
import { controllerReference, type ControllingObject } from '../workloads/controller-reference.ts';
import { portsKey } from '../endpoints/service-backends.ts';
import type { EndpointAddress, EndpointSubset } from '../../gen/types/core-v1.ts';

/** The types of addresses that are mirrored. */
const addressTypes = Object.freeze(['IPv4', 'IPv6'] as const);

/**
 * The endpoints of an Endpoints object with addresses of a type, grouped by their ports. Of each
 * subset at most `limit` addresses are mirrored; the ready ones come first.
 */
function mirroredGroups(
  { subsets = [] }: Endpoints,
  addressType: (typeof addressTypes)[number],
  limit: number,
): ReadonlyMap<string, EndpointGroup> {
  const groups = new Map<string, { ports: EndpointGroup['ports']; endpoints: SliceEndpoint[] }>();
  for (const subset of subsets) {
    const ofType = endpointsOf(subset, limit).filter(({ addresses }) => typeOf(addresses[0]) === addressType);
    if (ofType.length === 0) continue;
    const { ports = [] } = subset;
    const key = portsKey(ports);
    const group = groups.get(key);
    if (group) group.endpoints.push(...ofType);
    else groups.set(key, { ports, endpoints: ofType });
  }
  return groups;
}

/** The number of addresses that are not mirrored because their subsets have too many. */
function countSkipped({ subsets = [] }: Endpoints, limit: number): number {
  const counts = subsets.map(
    ({ addresses = [], notReadyAddresses = [] }) => addresses.length + notReadyAddresses.length,
  );
  return counts.reduce((sum, count) => sum + Math.max(0, count - limit), 0);
}

/** The key of a mirrored endpoint. Several endpoints may have one address. */
function mirroredKey({ addresses, hostname, nodeName, targetRef }: SliceEndpoint): string {
  const { kind, namespace, name, uid } = targetRef ?? {};
  return JSON.stringify([addresses, hostname, nodeName, kind, namespace, name, uid]);
}

function endpointsOf({ addresses = [], notReadyAddresses = [] }: EndpointSubset, limit: number): SliceEndpoint[] {
  const ready = addresses.map((address) => endpointOf(address, true));
  const notReady = notReadyAddresses.map((address) => endpointOf(address, false));
  return [...ready, ...notReady].slice(0, limit);
}

function endpointOf({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): SliceEndpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname ? { hostname } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(targetRef ? { targetRef } : {}),
  };
}

function typeOf(ip = ''): (typeof addressTypes)[number] {
  return ip.includes(':') ? 'IPv6' : 'IPv4';
}

/** Mirrors the Endpoints of Services without a selector, which users write, to EndpointSlices. */
export const endpointSliceMirroring: ControllerDefinition = {
  name: 'endpointslice-mirroring-controller',
  alias: 'endpointslicemirroring',
  component: 'endpoint-slice-mirroring-controller',
  account: 'endpointslicemirroring-controller',
  run,
};

const index = 'mirrored';

async function run(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { client, discovery, informers, identifiers, options, events, controller } = context;
  const { labelDomain, apiDomain } = identifiers;
  const reference = await untilServed({ client, discovery }, endpointSlices(identifiers), ['v1beta1'], signal);
  const leader = leaderAnnotation(identifiers);
  const informer = informers.informer(reference);
  const serviceInformer = informers.informer(services);
  const writer = createSliceWriter(client, informer, signal);
  const skipLabel = `endpointslice.${labelDomain}/skip-mirror`;
  const serviceLabel = `${labelDomain}/service-name`;
  const managerLabel = `endpointslice.${labelDomain}/managed-by`;
  const manager = `endpointslicemirroring-controller.${apiDomain}`;
  const lastApplied = `${identifiers.commandLine}.${labelDomain}/last-applied-configuration`;
  const changeTime = `endpoints.${labelDomain}/last-change-trigger-time`;
  const ownName = ({ metadata: { labels } }: EndpointSlice): string | undefined =>
    labels?.[managerLabel] === manager ? labels[serviceLabel] : undefined;
  informer.addIndex(index, (slice) => {
    const name = ownName(slice);
    return name === undefined ? [] : [`${slice.metadata.namespace}/${name}`];
  });

  function isMirrored({ metadata }: Endpoints, service: Service | undefined): boolean {
    const { labels, annotations, deletionTimestamp } = metadata;
    if (!service || deletionTimestamp !== undefined) return false;
    if (labels?.[skipLabel] === 'true' || annotations?.[leader] !== undefined) return false;
    return Object.keys(service.spec.selector ?? {}).length === 0;
  }

  function metadataOf(source: Endpoints & ControllingObject) {
    const { name, namespace, labels, annotations } = source.metadata;
    const { [lastApplied]: _applied, [changeTime]: _time, ...copied } = annotations ?? {};
    return {
      generateName: `${name}-`,
      namespace,
      labels: { ...labels, [serviceLabel]: name, [managerLabel]: manager },
      annotations: copied,
      ownerReferences: [controllerReference(source)],
    };
  }

  async function mirror(source: Endpoints & ControllingObject, all: readonly EndpointSlice[]): Promise<void> {
    const { annotations, ...metadata } = metadataOf(source);
    const limit = options['mirroring-max-endpoints-per-subset'];
    const skipped = countSkipped(source, limit);
    if (skipped > 0) events.record(source, tooManyAddresses(limit, skipped));
    for (const addressType of addressTypes) {
      const present = all.filter((slice) => slice.addressType === addressType);
      const groups = mirroredGroups(source, addressType, limit);
      const plan = fillSlices(present, groups, { addressType, limit, keyOf: mirroredKey });
      await writer.carryOut({
        plan,
        present,
        metadata,
        source: `Endpoints ${metadata.namespace}/${source.metadata.name}`,
        annotate: () => annotations,
        followsAnnotations: true,
      });
    }
  }

  await controller<Endpoints>({
    name: 'endpointslicemirroring',
    for: endpoints,
    watches: [
      watched<Service>(services, ({ metadata: { name, namespace = '' } }) => [{ name, namespace }]),
      watched<EndpointSlice>(reference, (slice) => {
        const name = ownName(slice);
        return name === undefined ? [] : [{ namespace: slice.metadata.namespace ?? '', name }];
      }),
    ],
    concurrency: options['mirroring-concurrent-service-endpoint-syncs'],
    retryRate: sliceRetryRate,
    async reconcile({ object, name, namespace }) {
      const present = informer.byIndex(index, `${namespace}/${name}`);
      if (object && isMirrored(object, serviceInformer.get(name, namespace))) {
        // The server has completed the metadata.
        await mirror({ ...object, apiVersion: 'v1', kind: 'Endpoints' } as Endpoints & ControllingObject, present);
      } else for (const slice of present) await writer.remove(slice);
    },
  }).run(signal);
}

function tooManyAddresses(limit: number, skipped: number): EventDescription {
  const message = `A max of ${limit} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
  return { type: 'Warning', reason: 'TooManyAddressesToMirror', message };
}
