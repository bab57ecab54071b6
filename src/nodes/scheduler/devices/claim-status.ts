import type { ResourceClaim } from '../../../controllers/resources.ts';
import type { NodeSelector, NodeSelectorRequirement } from '../../../gen/types/core-v1.ts';
import type {
  DeviceAllocationConfiguration,
  DeviceClass,
  DeviceRequestAllocationResult,
} from '../../../gen/types/resource-v1.ts';
import { formatTime } from '../../../meta/time.ts';
import { formatConsumed } from './consumed-capacity.ts';
import type { ChosenDevice } from './offered-device.ts';
import { requestOf } from './request-ways.ts';

type Allocation = NonNullable<NonNullable<ResourceClaim['status']>['allocation']>;

/** The allocation of a claim on a node. */
export function allocationOf(
  claim: ResourceClaim,
  chosen: readonly ChosenDevice[],
  node: string,
  classOf: (name: string) => DeviceClass | undefined,
): Allocation {
  const nodeSelector = selectorOf(chosen, node);
  const isBoundLater = chosen.some(({ device }) => (device.bindingConditions ?? []).length > 0);
  return {
    devices: {
      results: chosen.map(resultOf),
      config: [
        ...configurationOfClasses(chosen, classOf),
        ...configurationOfClaim(claim, chosen),
      ] as DeviceAllocationConfiguration[],
    },
    ...(nodeSelector ? { nodeSelector } : {}),
    ...(isBoundLater ? { allocationTimestamp: formatTime(Date.now()) } : {}),
  };
}

/** The allocation result of a device. */
export function resultOf({ request, device, needs, share }: ChosenDevice): DeviceRequestAllocationResult {
  const { driver, pool, name, bindingConditions, bindingFailureConditions } = device;
  const isShown = share !== undefined && share.consumed.size > 0;
  return {
    request,
    driver,
    pool,
    device: name,
    ...(needs.adminAccess ? { adminAccess: needs.adminAccess } : {}),
    ...(needs.tolerations ? { tolerations: needs.tolerations } : {}),
    ...(bindingConditions ? { bindingConditions: [...bindingConditions] } : {}),
    ...(bindingFailureConditions ? { bindingFailureConditions: [...bindingFailureConditions] } : {}),
    ...(share ? { shareID: share.id } : {}),
    ...(isShown ? { consumedCapacity: formatConsumed(share.consumed) } : {}),
  };
}

/** The configuration of each device class, for all of its requests. */
function configurationOfClasses(
  chosen: readonly ChosenDevice[],
  classOf: (name: string) => DeviceClass | undefined,
): readonly object[] {
  const requests = new Map<string, Set<string>>();
  for (const { request, needs } of chosen) {
    const known = requests.get(needs.deviceClassName) ?? new Set();
    requests.set(needs.deviceClassName, known.add(request));
  }
  return [...requests].flatMap(([name, ofClass]) =>
    (classOf(name)?.spec?.config ?? []).map((one) => ({ source: 'FromClass', requests: [...ofClass], ...one })),
  );
}

/** The configuration of a claim, except for unused alternatives. */
function configurationOfClaim({ spec }: ResourceClaim, chosen: readonly ChosenDevice[]): readonly object[] {
  const names = new Set((spec.devices?.requests ?? []).map((request) => requestOf(request).name));
  for (const { request } of chosen) names.add(request);
  return (spec.devices?.config ?? [])
    .filter(({ requests = [] }) => requests.length === 0 || requests.some((name) => names.has(name)))
    .map((one) => ({ source: 'FromClaim', ...one }));
}

/** The selector of the nodes that can use all devices; undefined for all nodes. */
function selectorOf(chosen: readonly ChosenDevice[], node: string): NodeSelector | undefined {
  const places = chosen.map(({ device }) => device.nodes);
  if (chosen.some(({ device: { nodes, bindsToNode } }) => bindsToNode || (nodes !== 'all' && 'name' in nodes))) {
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
    return { nodeSelectorTerms: [{ matchFields }] };
  }
  const terms = places.flatMap((place) => (place !== 'all' && 'term' in place ? [place.term] : []));
  if (terms.length === 0) return undefined;
  // A slice's selector has one term, so that the combined requirements fit into one term too.
  return {
    nodeSelectorTerms: [
      {
        ...listed(
          'matchFields',
          terms.flatMap(({ matchFields = [] }) => matchFields),
        ),
        ...listed(
          'matchExpressions',
          terms.flatMap(({ matchExpressions = [] }) => matchExpressions),
        ),
      },
    ],
  };
}

/** A field with requirements, without duplicates; nothing if there are none. */
function listed(field: 'matchFields' | 'matchExpressions', requirements: readonly NodeSelectorRequirement[]): object {
  const different = new Map(
    requirements.map((one) => [JSON.stringify([one.key, one.operator, one.values?.toSorted()]), one]),
  );
  return different.size > 0 ? { [field]: [...different.values()] } : {};
}
