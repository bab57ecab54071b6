import type { ApiObject } from '../../client/api-object.ts';
import { type ReconcileRequest } from '../../client/controllers/controller.ts';
import { watched, type WatchedSource } from '../../client/controllers/watch-sources.ts';
import type { RetryRate } from '../../client/queue/retry-delays.ts';
import type { ControllerContext } from '../controller-definition.ts';
import { type Pod, pods, type Service, services } from '../resources.ts';
import { hasSelector, selectsPod } from './service-backends.ts';

/** A controller of the objects that list the endpoints of Services. */
interface ServiceController {
  readonly name: string;
  /** Number of Services at the same time. */
  readonly concurrency: number;
  /** The rate of retries; by default the rate of all controllers. */
  readonly retryRate?: RetryRate;
  /** The objects that it keeps for Services. */
  readonly kept: WatchedSource;
  /** Called for Services with a selector, and with undefined for those that are gone. */
  readonly sync: (
    service: Service | undefined,
    pods: readonly Pod[],
    request: ReconcileRequest<Service>,
  ) => Promise<void>;
}

/** Runs a controller that follows Services and the pods that they select. */
export async function runServiceController(
  { name, concurrency, retryRate, kept, sync }: ServiceController,
  { informers, controller }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const informer = informers.informer(services);
  const podInformer = informers.informer(pods);

  function selecting({ metadata }: ApiObject) {
    const { namespace = '', labels } = metadata ?? {};
    const found = informer.list({ namespace }).filter((service) => hasSelector(service) && selectsPod(service, labels));
    return found.map((service) => ({ namespace, name: service.metadata.name }));
  }

  await controller<Service>({
    name,
    for: services,
    watches: [watched<Pod>(pods, selecting), kept],
    concurrency,
    retryRate,
    async reconcile(request) {
      const { object, namespace } = request;
      if (!object || object.metadata.deletionTimestamp) return await sync(undefined, [], request);
      if (!hasSelector(object)) return undefined;
      const selected = podInformer.list({ namespace }).filter(({ metadata }) => selectsPod(object, metadata.labels));
      return await sync(object, selected, request);
    },
  }).run(signal);
}
