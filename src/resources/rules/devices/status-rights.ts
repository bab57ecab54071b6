import type { AllocatedDeviceStatus, AllocationResult, ResourceClaim } from '../../../gen/stored/resource-v1.ts';
import { serviceAccountName, type UserInfo } from '../../../meta/user-info.ts';
import type { CheckReferences } from '../../../registry/definition/check-references.ts';
import type { RequestScope } from '../../../registry/definition/registry.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';

/** A right on a part of a claim. */
interface ClaimRight {
  readonly user: UserInfo;
  readonly verb: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Asks the authorizers of the server about a right. */
export type DecideClaimRight = (right: ClaimRight) => Promise<{ readonly isAllowed: boolean }>;

const gate = 'DRAResourceClaimGranularStatusAuthorization';
/**
 * The drivers that a valid write can be about: those of the devices of two allocations. Nobody is
 * asked about more.
 */
const mostDrivers = 64;
const sameAllocation = sameMessage('api.resource.v1.AllocationResult');
const sameConsumer = sameMessage('api.resource.v1.ResourceClaimConsumerReference');
const sameDevice = sameMessage('api.resource.v1.AllocatedDeviceStatus');

/**
 * The rule about writes of the status of a claim, besides the right to write it at all: allocations
 * and reservations need the right to write `resourceclaims/binding`, and the states of devices need
 * one for each driver. A driver that runs on the node of the claim needs it for that node alone.
 */
export function statusRightsRule(decide: DecideClaimRight): CheckReferences {
  return async (object, oldObject, scope) => {
    const { emulated, subresource, verb } = scope;
    if (!oldObject || subresource !== 'status' || verb === undefined) return noErrors;
    if (!emulated.isFeatureEnabled(gate)) return noErrors;
    // A registry passes the objects of its kind.
    const [claim, old] = [object, oldObject] as unknown as readonly [ResourceClaim, ResourceClaim];
    const ask = async (part: Pick<ClaimRight, 'verb' | 'subresource' | 'namespace' | 'name'>) =>
      (await decide({ ...rightIn(scope), ...part })).isAllowed;
    const errors: FieldError[] = [];
    const binding = { verb, subresource: 'binding', namespace: '', name: '' };
    if (changesBinding(claim, old) && !(await ask(binding))) {
      errors.push(forbidden('status', 'changing status.allocation or status.reservedFor requires extra permission'));
    }
    const verbs = [...(isOnNode(scope, claim) ? ['associated-node'] : []), 'arbitrary-node'];
    const drivers = changedDrivers(claim, old);
    const isValid = drivers.length <= mostDrivers;
    for (const driver of drivers) {
      const right = { subresource: 'driver', namespace: scope.namespace, name: driver };
      const isAllowed = isValid && (await anyOf(verbs, (prefix) => ask({ ...right, verb: `${prefix}:${verb}` })));
      if (!isAllowed) errors.push(forbidden('status.devices', 'changing status.devices requires extra permission'));
    }
    return errors;
  };
}

function rightIn({
  user,
  group,
  version,
}: RequestScope): Pick<ClaimRight, 'user' | 'apiGroup' | 'apiVersion' | 'resource'> {
  return { user, apiGroup: group, apiVersion: version, resource: 'resourceclaims' };
}

async function anyOf<T>(items: readonly T[], ask: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await ask(item)) return true;
  return false;
}

function changesBinding({ status }: ResourceClaim, { status: old }: ResourceClaim): boolean {
  const [reserved, before] = [status.reservedFor ?? [], old.reservedFor ?? []];
  return (
    !sameAllocation(status.allocation, old.allocation) ||
    reserved.length !== before.length ||
    reserved.some((consumer, index) => !sameConsumer(consumer, before[index]))
  );
}

/** The drivers whose devices have another state, in the order of their names. */
function changedDrivers({ status }: ResourceClaim, { status: old }: ResourceClaim): readonly string[] {
  const [now, before] = [byDevice(status.devices), byDevice(old.devices)];
  const changed = [...new Set([...now.keys(), ...before.keys()])].filter(
    (key) => !sameDevice(now.get(key), before.get(key)),
  );
  return [...new Set(changed.map((key) => (now.get(key) ?? before.get(key))?.driver ?? ''))].toSorted();
}

function byDevice(devices: readonly AllocatedDeviceStatus[] = []): ReadonlyMap<string, AllocatedDeviceStatus> {
  return new Map(
    devices.map((one) => [JSON.stringify([one.driver, one.pool, one.device, one.shareID ?? '']), one] as const),
  );
}

/** Reports whether a service account runs on the only node that can use the devices of a claim. */
function isOnNode({ user, identifiers }: RequestScope, { status }: ResourceClaim): boolean {
  const names = user.extra[`authentication.${identifiers.labelDomain}/node-name`] ?? [];
  const node = nodeOf(status.allocation);
  return (
    node !== undefined && names.length === 1 && names[0] === node && serviceAccountName(user.username) !== undefined
  );
}

function nodeOf(allocation: AllocationResult | undefined): string | undefined {
  const [term, ...others] = allocation?.nodeSelector?.nodeSelectorTerms ?? [];
  const [field, ...fields] = term?.matchFields ?? [];
  if (others.length > 0 || fields.length > 0 || (term?.matchExpressions ?? []).length > 0) return undefined;
  const [node, ...nodes] = field?.values ?? [];
  const isName = field?.key === 'metadata.name' && field.operator === 'In';
  return isName && nodes.length === 0 ? node : undefined;
}
