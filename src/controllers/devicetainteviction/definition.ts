import { builtInResources } from '../../client/built-in-resources.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import { discoverVersion } from '../../client/discovery.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { ResourceSlice } from '../../gen/types/resource-v1.ts';
import type { DeviceTaintRule } from '../../gen/types/resource-v1beta2.ts';
import { claimNamesOf } from '../../kinds/core/pod-claims.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type Pod, pods, type ResourceClaim, resourceClaims } from '../resources.ts';
import { untilServed } from '../until-served.ts';
import { evictionTime } from './eviction-time.ts';

/**
 * Deletes pods whose devices have a NoExecute taint that their claims do not tolerate. Taints come
 * from drivers and from DeviceTaintRules.
 */
export const deviceTaintEviction: ControllerDefinition = {
  name: 'device-taint-eviction-controller',
  alias: 'device-taint-eviction-controller',
  component: 'device-taint-eviction',
  account: 'device-taint-eviction-controller',
  run,
};

/** The longest wait of a timer, after which the time is computed again. */
const longestWaitMs = 3_600_000;

async function run(
  { client, discovery, informers, identifiers, options, events, controller }: ControllerContext,
  signal: AbortSignal,
) {
  const known = builtInResources(identifiers.set);
  const claims = await untilServed(
    { client, discovery },
    resourceClaims(identifiers),
    ['v1beta2', 'v1beta1', 'v1alpha3'],
    signal,
  );
  const slices = { ...known.resourceslices, version: claims.version };
  const rules = await servedRules();
  const podInformer = informers.informer(pods);
  const claimInformer = informers.informer(claims);
  const sliceInformer = informers.informer(slices);
  const ruleInformer = rules && informers.informer(rules);
  const resource = client.resource(pods);

  /** The resource of DeviceTaintRules in the newest served version, if it is served. */
  async function servedRules() {
    for (const version of ['v1beta2', 'v1alpha3']) {
      const found = await discoverVersion(client, claims.group, version, signal);
      if (found?.some((one) => one.resource === 'devicetaintrules')) return { ...known.devicetaintrules, version };
    }
    return undefined;
  }

  /** The allocated claims with devices of a driver; with undefined all allocated claims. */
  function claimsWith(driver: string | undefined) {
    return claimInformer
      .list()
      .filter(({ status }) =>
        status?.allocation?.devices?.results?.some((result) => driver === undefined || result.driver === driver),
      )
      .map(({ metadata: { name, namespace = '' } }) => ({ name, namespace }));
  }

  async function evict(pod: Pod): Promise<void> {
    const { name, namespace = '', uid } = pod.metadata;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByDeviceTaintManager',
      message: 'Device Taint manager: deleting due to NoExecute taint',
      lastTransitionTime: new Date().toISOString().replace(/\.\d+/, ''),
    };
    const change = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, uid } };
    const object = { ...change, status: { conditions: [condition] } };
    const write = { subresource: 'status', fieldManager: deviceTaintEviction.name, force: true, signal };
    events.record(
      { ...pod, apiVersion: 'v1', kind: 'Pod' },
      {
        type: 'Normal',
        reason: 'DeviceTaintManagerEviction',
        message: `Marking for deletion Pod ${namespace}/${name}`,
      },
    );
    await ignoreReasons(resource.apply(object as never, write), 'NotFound', 'Conflict');
    await ignoreReasons(resource.delete(name, { namespace, preconditions: { uid }, signal }), 'NotFound', 'Conflict');
  }

  await controller<ResourceClaim>({
    name: 'device_taint_eviction',
    concurrency: options['concurrent-device-taint-eviction-syncs'],
    for: claims,
    watches: [
      watched<Pod>(pods, (pod) => claimNamesOf(pod).map((name) => ({ namespace: pod.metadata.namespace ?? '', name }))),
      watched<ResourceSlice>(slices, ({ spec }) => (spec ? claimsWith(spec.driver) : [])),
      ...(rules ? [watched<DeviceTaintRule>(rules, ({ spec }) => claimsWith(spec?.deviceSelector?.driver))] : []),
    ],
    async reconcile({ object, namespace }) {
      const { allocation, reservedFor = [] } = object?.status ?? {};
      const users = reservedFor.flatMap(({ resource: kind, name, uid }) => {
        const pod = kind === 'pods' ? podInformer.get(name, namespace) : undefined;
        return pod?.metadata.uid === uid && pod.metadata.deletionTimestamp === undefined ? [pod] : [];
      });
      if (users.length === 0) return undefined;
      const sources = { slices: sliceInformer.list(), rules: ruleInformer?.list() ?? [] };
      const leftMs = evictionTime(allocation?.devices?.results ?? [], sources) - Date.now();
      if (leftMs > 0) return leftMs === Infinity ? undefined : { requeueAfterMs: Math.min(leftMs, longestWaitMs) };
      await Promise.all(users.map(evict));
      return undefined;
    },
  }).run(signal);
}
