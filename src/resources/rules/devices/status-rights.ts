import type { DecideRight, ResourceRight } from '../../../admission/resource-right.ts';
import { forbiddenRequest } from '../../../authz/forbidden-request.ts';
import type { AllocatedDeviceStatus, AllocationResult, ResourceClaim } from '../../../gen/stored/resource-v1.ts';
import { serviceAccountName } from '../../../meta/user-info.ts';
import type { CheckReferences } from '../../../registry/definition/check-references.ts';
import type { RequestScope } from '../../../registry/definition/registry.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';

const gate = 'DRAResourceClaimGranularStatusAuthorization';
/** The most drivers whose rights are checked: a valid write cannot change the devices of more. */
const mostDrivers = 64;
const sameAllocation = sameMessage('api.resource.v1.AllocationResult');
const sameConsumer = sameMessage('api.resource.v1.ResourceClaimConsumerReference');
const sameDevice = sameMessage('api.resource.v1.AllocatedDeviceStatus');

/**
 * The rule about writes of a claim's status, beyond the right to write it: changes of the
 * allocation or reservations require rights on `resourceclaims/binding`, changes of device statuses
 * require rights on `resourceclaims/driver` for each driver. A driver on the node of the claim only
 * needs the right for its own node.
 */
export function statusRightsRule(decide: DecideRight): CheckReferences {
  return async (object, oldObject, scope) => {
    const { emulated, subresource, verb } = scope;
    if (!oldObject || subresource !== 'status' || verb === undefined) return noErrors;
    if (!emulated.isFeatureEnabled(gate)) return noErrors;
    // A registry passes objects of its kind.
    const [claim, old] = [object, oldObject] as unknown as readonly [ResourceClaim, ResourceClaim];
    const ask = (part: RightOnPart) => refusalOf(decide, { ...rightIn(scope), ...part });
    const errors: FieldError[] = [];
    if (changesBinding(claim, old)) {
      const refusal = await ask({ verb, subresource: 'binding', namespace: '', name: '' });
      const what = `resource="resourceclaims/binding", verb="${verb}"`;
      if (refusal !== undefined) {
        const changes = 'changing status.allocation or status.reservedFor';
        errors.push(forbidden('status', `${changes} requires ${what} permission: ${refusal}`));
      }
    }
    const prefixes = [...(isOnNode(scope, claim) ? ['associated-node'] : []), 'arbitrary-node'];
    const verbs = prefixes.map((prefix) => `${prefix}:${verb}`);
    const what = `resource="resourceclaims/driver", verb="[${verbs.join(' ')}]"`;
    const drivers = changedDrivers(claim, old);
    for (const name of drivers) {
      const right = { subresource: 'driver', namespace: scope.namespace, name };
      const refusal =
        drivers.length > mostDrivers
          ? `more than ${mostDrivers} drivers`
          : await firstRefusal(verbs, (one) => ask({ ...right, verb: one }));
      if (refusal !== undefined) {
        errors.push(forbidden('status.devices', `changing status.devices requires ${what} permission: ${refusal}`));
      }
    }
    return errors;
  };
}

function rightIn({
  user,
  group,
  version,
}: RequestScope): Pick<ResourceRight, 'user' | 'apiGroup' | 'apiVersion' | 'resource'> {
  return { user, apiGroup: group, apiVersion: version, resource: 'resourceclaims' };
}

/** The part of a claim that a right is about. */
type RightOnPart = Pick<ResourceRight, 'verb' | 'subresource' | 'namespace' | 'name'>;

/** The authorizers' reason for refusing a right; undefined if they allow it. */
async function refusalOf(decide: DecideRight, right: ResourceRight): Promise<string | undefined> {
  const { isAllowed, reason, error } = await decide(right);
  if (isAllowed) return undefined;
  const why = [error, reason].filter((text) => text !== undefined && text !== '').join(': ');
  return forbiddenRequest({ ...right, resourceRequest: true, path: '' }, why).message;
}

/** The refusal of the first verb if all are refused; undefined if one is allowed. */
async function firstRefusal(
  verbs: readonly string[],
  ask: (verb: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  let first: string | undefined;
  for (const verb of verbs) {
    const refusal = await ask(verb);
    if (refusal === undefined) return undefined;
    first ??= refusal;
  }
  return first;
}

function changesBinding({ status }: ResourceClaim, { status: old }: ResourceClaim): boolean {
  const [reserved, before] = [status.reservedFor ?? [], old.reservedFor ?? []];
  return (
    !sameAllocation(status.allocation, old.allocation) ||
    reserved.length !== before.length ||
    reserved.some((consumer, index) => !sameConsumer(consumer, before[index]))
  );
}

/** The drivers whose device statuses change, sorted by name. */
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

/** Reports whether a service account runs on the only node that can use the claim's devices. */
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
