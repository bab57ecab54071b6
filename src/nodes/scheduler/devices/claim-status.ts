import type { ResourceClaim } from '../../../controllers/resources.ts';
import type { NodeSelector } from '../../../gen/types/core-v1.ts';
import type {
  DeviceAllocationConfiguration,
  DeviceClass,
  DeviceRequestAllocationResult,
} from '../../../gen/types/resource-v1.ts';
import type { ChosenDevice } from './device-pools.ts';

type Allocation = NonNullable<NonNullable<ResourceClaim['status']>['allocation']>;

/** The allocation of a claim that got devices on a node. */
export function allocationOf(
  { spec }: ResourceClaim,
  chosen: readonly ChosenDevice[],
  node: string,
  classOf: (name: string) => DeviceClass | undefined,
): Allocation {
  const fromClaim = (spec.devices?.config ?? []).map((one) => ({ source: 'FromClaim', ...one }));
  const nodeSelector = selectorOf(chosen, node);
  return {
    devices: {
      results: chosen.map(resultOf),
      config: [...configurationOfClasses(chosen, classOf), ...fromClaim] as DeviceAllocationConfiguration[],
    },
    ...(nodeSelector ? { nodeSelector } : {}),
  };
}

function resultOf({ request, device, needs }: ChosenDevice): DeviceRequestAllocationResult {
  const { driver, pool, name, bindingConditions, bindingFailureConditions } = device;
  return {
    request,
    driver,
    pool,
    device: name,
    ...(needs.adminAccess === undefined ? {} : { adminAccess: needs.adminAccess }),
    ...(needs.tolerations ? { tolerations: needs.tolerations } : {}),
    ...(bindingConditions ? { bindingConditions: [...bindingConditions] } : {}),
    ...(bindingFailureConditions ? { bindingFailureConditions: [...bindingFailureConditions] } : {}),
  };
}

/** The configuration of the class of each request. */
function configurationOfClasses(
  chosen: readonly ChosenDevice[],
  classOf: (name: string) => DeviceClass | undefined,
): readonly object[] {
  const classes = new Map(chosen.map(({ request, needs }) => [request, needs.deviceClassName ?? '']));
  return [...classes].flatMap(([request, name]) =>
    (classOf(name)?.spec?.config ?? []).map((one) => ({ source: 'FromClass', requests: [request], ...one })),
  );
}

/** The nodes that can use all devices; undefined for all nodes. */
function selectorOf(chosen: readonly ChosenDevice[], node: string): NodeSelector | undefined {
  const places = chosen.map(({ device }) => device.nodes);
  if (places.some((place) => place !== 'all' && 'name' in place)) {
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
    return { nodeSelectorTerms: [{ matchFields }] };
  }
  const terms = places.flatMap((place) => (place !== 'all' && 'term' in place ? [place.term] : []));
  if (terms.length === 0) return undefined;
  // Each selector of a slice has one term, so that all of them can be met by one.
  return {
    nodeSelectorTerms: [
      {
        matchExpressions: terms.flatMap(({ matchExpressions = [] }) => matchExpressions),
        matchFields: terms.flatMap(({ matchFields = [] }) => matchFields),
      },
    ],
  };
}
