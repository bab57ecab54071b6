import type { ServiceCIDR } from '../../gen/stored/networking-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Lister, ListerOf } from '../../meta/lister.ts';
import { now } from '../../meta/time.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import { systemScope } from '../../registry/internal/ensure-object.ts';
import { changeObject, reconcileObject } from '../../registry/internal/reconcile-object.ts';
import { type AddressRange, joinRanges, parseAddressRange } from '../../resources/core/services/address-range.ts';

/** The ranges of a ServiceCIDR; empty while it is not ready. */
interface ReadyRanges {
  readonly ranges: readonly AddressRange[];
}

/** Returns the present ranges of a family, joined; undefined if there are none. */
type RangesOf = (family: AddressRange['family'], signal: AbortSignal) => Promise<AddressRange | undefined>;

/** Follows the ServiceCIDRs. Only ranges that are ready and not being deleted are used. */
export function serviceCidrRanges({ apiDomain }: Identifiers, listerOf: ListerOf): RangesOf {
  let lister: Lister<ReadyRanges> | undefined;
  return async (family, signal) => {
    lister ??= listerOf({ group: `networking.${apiDomain}`, resource: 'servicecidrs', warm: true, read: readRanges });
    const found = await lister.list({ latest: true }, signal);
    return joinRanges(found.flatMap(({ ranges }) => ranges.filter((range) => range.family === family)));
  };
}

function readRanges({ metadata, spec, status }: ServiceCIDR): ReadyRanges {
  const isReady = status.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True') === true;
  if (!isReady || metadata.deletionTimestamp) return { ranges: [] };
  return { ranges: (spec.cidrs ?? []).flatMap((cidr) => parseAddressRange(cidr, true) ?? []) };
}

/**
 * Creates the ServiceCIDR with the ranges of the server's options, and sets its condition Ready. If
 * it exists with other ranges, an administrator must decide what to do.
 */
export async function ensureDefaultServiceCidr(
  registries: Registries,
  identifiers: Identifiers,
  cidrs: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const registry = registries.forResource(`networking.${identifiers.apiDomain}`, 'servicecidrs');
  if (!registry) return;
  const scope = { ...systemScope(identifiers, registry, signal), name: identifiers.product };
  await reconcileObject(
    registry,
    scope,
    { metadata: { name: identifiers.product }, spec: { cidrs: [...cidrs] } },
    () => undefined,
  );
  await changeObject<ServiceCIDR>(registry, { ...scope, subresource: 'status' }, (found) => {
    const conditions = found.status.conditions ?? [];
    if (conditions.some(({ type }) => type === 'Ready') || found.spec.cidrs?.join() !== cidrs.join()) return undefined;
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: '',
      message: `${titled(identifiers)} default Service CIDR is ready`,
      lastTransitionTime: now(),
    };
    return { ...found, status: { ...found.status, conditions: [...conditions, ready] } };
  });
}

function titled({ product }: Identifiers): string {
  return product.slice(0, 1).toUpperCase() + product.slice(1);
}
