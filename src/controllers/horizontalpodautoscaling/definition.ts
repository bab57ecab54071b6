import { builtInResources } from '../../client/built-in-resources.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import { createResourceMapper, type ResourceMapper } from '../../client/resource-mapper.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  CrossVersionObjectReference,
} from '../../gen/types/autoscaling-v2.ts';
import { parseLabelSelector } from '../../meta/label-selector.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { pods, type StoredMetadata } from '../resources.ts';
import { serverMinor } from '../server-minor.ts';
import { untilServed } from '../until-served.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { metricsReader } from './read-metrics.ts';
import { type AutoscalerCalls, reconcile } from './reconcile.ts';
import { SyncTimes } from './sync-times.ts';
import type { ScalingHistory } from './scaling-history.ts';
import type { Client } from '../../client/client.ts';
import type { Scale } from '../../gen/types/autoscaling-v1.ts';
import { servedKind } from './served-kind.ts';

/** Adjusts the number of pods of workloads to metrics, which other servers serve. */
export const autoscalingController: ControllerDefinition = {
  name: 'horizontal-pod-autoscaler-controller',
  alias: 'horizontalpodautoscaling',
  component: 'horizontal-pod-autoscaler',
  account: 'horizontal-pod-autoscaler',
  run,
};

/** An autoscaler that a server has stored. */
type StoredAutoscaler = HorizontalPodAutoscaler & { metadata: StoredMetadata };

async function run(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { client, discovery, informers, identifiers, options, events, onError, controller } = context;
  const { horizontalpodautoscalers: stable } = builtInResources(identifiers.set);
  // The server completes the metadata of stored objects.
  const resource = (await untilServed(
    { client, discovery },
    stable,
    ['v2beta2'],
    signal,
  )) as ResourceReference<StoredAutoscaler>;
  const informer = informers.informer(resource);
  const podInformer = informers.informer(pods);
  const mapper = createResourceMapper(client);
  const histories = new Map<string, ScalingHistory>();
  const times = new SyncTimes(options['horizontal-pod-autoscaler-sync-period']);

  function callsFor(autoscaler: StoredAutoscaler, spec: HorizontalPodAutoscalerSpec): AutoscalerCalls {
    const { namespace = '' } = autoscaler.metadata;
    const at = { namespace, signal };
    let target: Awaited<ReturnType<typeof findScale>> | undefined;
    const nowMs = Date.now();
    return {
      async findScale() {
        target = await findScale(client, mapper, spec.scaleTargetRef, at);
        return target.scale;
      },
      async writeScale(replicas) {
        if (target) await writeScale(client, target, replicas, signal);
      },
      updateStatus: (status) =>
        writeStatus({ object: autoscaler, status, resource: client.resource(resource), informer, signal }),
      remember: (history) => histories.set(keyOf(autoscaler.metadata), history),
      report: (event) => events.record(autoscaler, event),
      contextOf(selector) {
        const selects = parseLabelSelector(selector);
        return {
          pods: podInformer.list({ namespace }).filter(({ metadata }) => selects(metadata.labels ?? {})),
          namespace,
          metrics: metricsReader({ client, mapper, identifiers, ...at }),
          periods: {
            cpuInitializationMs: options['horizontal-pod-autoscaler-cpu-initialization-period'],
            initialReadinessMs: options['horizontal-pod-autoscaler-initial-readiness-delay'],
            nowMs,
          },
        };
      },
      downscaleWindowMs: options['horizontal-pod-autoscaler-downscale-stabilization'],
      tolerance: options['horizontal-pod-autoscaler-tolerance'],
      remembersZero,
      nowMs,
    };
  }

  const remembersZero = (await serverMinor(client, signal)) >= 36;
  await podInformer.synced(signal);
  await controller<StoredAutoscaler>({
    name: 'horizontalpodautoscaling',
    for: resource,
    concurrency: options['concurrent-horizontal-pod-autoscaler-syncs'],
    async reconcile({ object, name, namespace }) {
      const key = keyOf({ name, namespace });
      if (!object?.spec) {
        histories.delete(key);
        times.forget(key);
        return undefined;
      }
      const waitMs = times.waitMs(key, object.metadata.uid, performance.now());
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      const { spec } = object;
      try {
        await reconcile({ ...object, spec }, histories.get(key), callsFor(object, spec));
      } catch (error) {
        // The next look is the retry: metrics do not come sooner.
        if (!signal.aborted) onError(error);
      }
      return { requeueAfterMs: times.periodMs };
    },
  }).run(signal);
}

function keyOf({ name, namespace = '' }: { readonly name: string; readonly namespace?: string }): string {
  return `${namespace}/${name}`;
}

/** A scale, and the resource that it belongs to. */
interface FoundScale {
  readonly scale: Scale;
  readonly resource: ResourceReference;
}

/** Reads the scale of an object. Its kind may be served in another version than it names. */
async function findScale(
  client: Client,
  mapper: ResourceMapper,
  reference: CrossVersionObjectReference,
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<FoundScale> {
  const resource = await servedKind(mapper, reference, signal);
  const scale = await client.resource(resource).get(reference.name, { namespace, subresource: 'scale', signal });
  return { scale, resource };
}

/** Writes the wanted number of pods, unless the object has changed since. */
async function writeScale(
  client: Client,
  { scale, resource }: FoundScale,
  replicas: number,
  signal: AbortSignal,
): Promise<void> {
  const changed = { ...scale, spec: { ...scale.spec, replicas } };
  await client.resource(resource).update(changed, { subresource: 'scale', signal });
}
