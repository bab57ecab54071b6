import type { EventDescription } from '../../client/events/event-recorder.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { endpoints, type Endpoints, type Pod, type Service, services } from '../resources.ts';
import { isTerminatingNamespace } from '../is-terminating.ts';
import { stamped, TriggerTimes } from './trigger-times.ts';
import { runServiceController } from './run-service-controller.ts';
import { leaderAnnotation } from './leader-annotation.ts';
import { isHeadless, backendsOf, type ServiceBackend } from './service-backends.ts';
import { createHash, getFips } from 'node:crypto';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../gen/types/core-v1.ts';
import { serverMinor } from '../server-minor.ts';

/** Addresses of one Endpoints object; EndpointSlices have the others. */
const addressLimit = 1000;

/** The subsets of a Service's Endpoints, and whether addresses were left out. */
function subsetsOf(service: Service, pods: readonly Pod[]): { subsets: EndpointSubset[]; truncated: boolean } {
  const family = service.spec.ipFamilies?.[0] ?? 'IPv4';
  const all = backendsOf(service, pods, family).filter(
    ({ terminating, ports }) =>
      (!terminating || service.spec.publishNotReadyAddresses) && (ports.length > 0 || !service.spec.ports?.length),
  );
  // Ready addresses are kept first.
  const kept = all.toSorted((a, b) => Number(b.ready) - Number(a.ready)).slice(0, addressLimit);
  return { subsets: packByPorts(kept), truncated: kept.length < all.length };
}

/** Packs each port once, with all its addresses; ports with the same addresses share a subset. */
function packByPorts(backends: readonly ServiceBackend[]): EndpointSubset[] {
  const groups = new Map<string, { readonly backends: readonly ServiceBackend[]; readonly ports: EndpointPort[] }>();
  for (const { port, backends: found } of backendsByPort(backends)) {
    const key = found.map(({ target }) => target.uid).join();
    const group = groups.get(key) ?? { backends: found, ports: [] };
    groups.set(key, group);
    if (port) group.ports.push(port);
  }
  return [...groups.values()].map(({ backends: found, ports }) => subsetOf(found, ports));
}

/** The backends of each port, in the order of ports. A headless Service may have none. */
function backendsByPort(backends: readonly ServiceBackend[]) {
  const found = new Map<string, { readonly port: EndpointPort | undefined; readonly backends: ServiceBackend[] }>();
  for (const backend of backends) {
    for (const port of backend.ports.length > 0 ? backend.ports : [undefined]) {
      const key = printedPort(port);
      const entry = found.get(key) ?? { port, backends: [] };
      found.set(key, entry);
      entry.backends.push(backend);
    }
  }
  const entries = [...found].map(([key, entry]) => ({ ...entry, rank: digestOf(key) }));
  return entries.toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
}

/** A port as Go prints it; kube-controller-manager orders ports by the digest of this text. */
function printedPort(port: EndpointPort | undefined): string {
  const { name = '', port: number, protocol = 'TCP', appProtocol = '<nil>' } = port ?? {};
  const fields = [`Name:(string)${name}`, `Port:(int32)${number}`, `Protocol:(v1.Protocol)${protocol}`];
  return `(v1.EndpointPort){${fields.join(' ')} AppProtocol:(*string)${appProtocol}}`;
}

function digestOf(text: string): string {
  // FIPS mode has no MD5. The order then differs, which no client depends on.
  return createHash(getFips() === 1 ? 'sha256' : 'md5')
    .update(text)
    .digest('hex');
}

function subsetOf(backends: readonly ServiceBackend[], ports: EndpointPort[]): EndpointSubset {
  const sorted = backends.toSorted((a, b) => (a.ip < b.ip ? -1 : 1));
  const [ready, notReady] = [true, false].map((is) => sorted.filter((each) => each.ready === is).map(addressOf));
  return {
    ...(ready?.length ? { addresses: ready } : {}),
    ...(notReady?.length ? { notReadyAddresses: notReady } : {}),
    ...(ports.length > 0 ? { ports } : {}),
  };
}

function addressOf({ ip, hostname, nodeName, target }: ServiceBackend): EndpointAddress {
  return { ip, ...(hostname ? { hostname } : {}), ...(nodeName ? { nodeName } : {}), targetRef: target };
}

/** Keeps the Endpoints of each Service with a selector. */
export const endpointsController: ControllerDefinition = {
  name: 'endpoints-controller',
  alias: 'endpoint',
  component: 'endpoint-controller',
  account: 'endpoint-controller',
  run,
};

async function run(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { client, informers, identifiers, options, events } = context;
  const leader = leaderAnnotation(identifiers);
  const informer = informers.informer(endpoints);
  const serviceInformer = informers.informer(services);
  const resource = client.resource(endpoints);
  const headlessLabel = `service.${identifiers.labelDomain}/headless`;
  const times = new TriggerTimes();
  const managed =
    (await serverMinor(client, signal)) >= 33
      ? { [`endpoints.${identifiers.labelDomain}/managed-by`]: 'endpoint-controller' }
      : {};
  const changeAnnotation = `endpoints.${identifiers.labelDomain}/last-change-trigger-time`;
  const capacityAnnotation = `endpoints.${identifiers.labelDomain}/over-capacity`;

  async function remove(name: string, namespace: string): Promise<void> {
    if (!informer.get(name, namespace)) return;
    await ignoreReasons(resource.delete(name, { namespace, signal }), 'NotFound');
  }

  function desired(service: Service, pods: readonly Pod[], present: Endpoints | undefined): Endpoints {
    const { name, namespace, labels } = service.metadata;
    const { subsets, truncated } = subsetsOf(service, pods);
    const { [capacityAnnotation]: _, ...annotations } = present?.metadata.annotations ?? {};
    const wanted = truncated ? { ...annotations, [capacityAnnotation]: 'truncated' } : annotations;
    return {
      ...present,
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        ...present?.metadata,
        name,
        namespace,
        labels: { ...labels, ...(isHeadless(service) ? { [headlessLabel]: '' } : {}), ...managed },
        annotations: stamped(wanted, changeAnnotation, times.next(service, pods)),
      },
      subsets,
    };
  }

  /** Removes the Endpoints of Services that were deleted before the controller started. */
  async function removeLeftovers(): Promise<void> {
    await Promise.all([informer.synced(signal), serviceInformer.synced(signal)]);
    for (const { metadata } of informer.list()) {
      const { name = '', namespace = '', annotations } = metadata;
      if (annotations?.[leader] === undefined && !serviceInformer.get(name, namespace)) {
        await remove(name, namespace);
      }
    }
  }

  await removeLeftovers();
  await runServiceController(
    {
      name: 'endpoint',
      concurrency: options['concurrent-endpoint-syncs'],
      kept: {
        // Changes of Endpoints by others stay until something about the Service changes.
        start(_informers, enqueue) {
          const removed = ({ metadata: { name = '', namespace = '' } }: Endpoints): void => {
            if (serviceInformer.get(name, namespace)) enqueue({ name, namespace });
          };
          informer.subscribe({ delete: removed }, signal);
          return informer;
        },
      },
      async sync(service, pods, { name, namespace }) {
        if (!service) {
          times.forget(name, namespace);
          return await remove(name, namespace);
        }
        const present = informer.get(name, namespace);
        const next = desired(service, pods, present);
        if (present && isSame(present, next, { changeAnnotation, headlessLabel })) return;
        try {
          const written = await (present ? resource.update(next, { signal }) : resource.create(next, { signal }));
          await informer.waitFor(written.metadata.resourceVersion ?? '', signal);
        } catch (error) {
          if (!signal.aborted && !isTerminatingNamespace(error)) events.record(next, notWritten(next, present, error));
          throw error;
        }
      },
    },
    context,
    signal,
  );
}

function notWritten(
  { metadata: { name, namespace } }: Endpoints,
  present: Endpoints | undefined,
  error: unknown,
): EventDescription {
  const text = error instanceof Error ? error.message : String(error);
  const what = present ? 'update endpoint' : 'create endpoint for service';
  const reason = present ? 'FailedToUpdateEndpoint' : 'FailedToCreateEndpoint';
  return { type: 'Warning', reason, message: `Failed to ${what} ${namespace}/${name}: ${text}` };
}

/**
 * Compares Endpoints. The time of a change alone is no change, nor is it that their Service became
 * headless, or is no longer.
 */
function isSame(
  before: Endpoints,
  after: Endpoints,
  { changeAnnotation, headlessLabel }: { readonly changeAnnotation: string; readonly headlessLabel: string },
): boolean {
  const [a, b] = [before, after].map(({ metadata, subsets }) => {
    const { [changeAnnotation]: _, ...annotations } = metadata.annotations ?? {};
    const { [headlessLabel]: _headless, ...labels } = metadata.labels ?? {};
    // Parts of objects are JSON.
    return [labels, annotations, subsets ?? []] as unknown as JsonValue;
  });
  return sameValue(a, b);
}
