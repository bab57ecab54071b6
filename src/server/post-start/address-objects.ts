import type { IPAddress } from '../../gen/stored/networking-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { labelsOf, metaText, nameOf } from '../../meta/object-meta.ts';
import { hasReason, systemScope, systemWrite } from '../../registry/internal/ensure-object.ts';
import type { ResourceRegistry, VersionedObject } from '../../registry/definition/registry.ts';
import type { Allocation, ItemAllocations } from '../../storage/objects/item-allocations.ts';

/** The registry of IPAddresses, and the identifiers for their labels. */
interface AddressObjects {
  readonly identifiers: Identifiers;
  readonly registry: () => ResourceRegistry | undefined;
}

/** The text that identifies the Service of an IPAddress. */
export function holderOf(service: JsonObject): string {
  return `${metaText(service, 'namespace')}/${nameOf(service)}`;
}

/**
 * The allocations of cluster IPs as IPAddress objects. If several servers allocate an address, only
 * one can create the object. The owner is `namespace/name` of a Service. Objects of other programs
 * count as allocated too.
 */
export function addressObjects({ identifiers, registry }: AddressObjects): ItemAllocations {
  const read = ({ json }: VersionedObject): Allocation => allocationIn(json, identifiers);
  const write = systemWrite(identifiers);
  const ready = (): ResourceRegistry => {
    const addresses = registry();
    if (!addresses) throw new TypeError('IPAddress objects are not served');
    return addresses;
  };
  const scopeOf = (signal: AbortSignal = new AbortController().signal) => systemScope(identifiers, ready(), signal);
  return {
    async take(item, owner, { signal } = {}) {
      try {
        const created = await ready().create(scopeOf(signal), addressObject(identifiers, item, owner), write);
        return read(created);
      } catch (error) {
        if (!hasReason(error, 'AlreadyExists')) throw error;
        return undefined;
      }
    },
    async find(item, { signal } = {}) {
      try {
        const found = await ready().get({ ...scopeOf(signal), name: item }, { kind: 'latest' });
        return read(found);
      } catch (error) {
        if (!hasReason(error, 'NotFound')) throw error;
        return undefined;
      }
    },
    async drop({ item, revision }, { signal } = {}) {
      const preconditions = { resourceVersion: String(revision) };
      try {
        await ready().delete({ ...scopeOf(signal), name: item }, { dryRun: false, preconditions });
      } catch (error) {
        // The object is deleted, or was allocated again.
        if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
      }
    },
    async list({ signal } = {}) {
      const { items } = await ready().list(scopeOf(signal), { at: { kind: 'latest' }, limit: 0 });
      return items.map(read);
    },
  };
}

function allocationIn(json: Buffer, identifiers: Identifiers): Allocation {
  // The registry returns objects of its kind.
  const address = JSON.parse(json.toString('utf8')) as IPAddress;
  const { group = '', resource = '', namespace = '', name = '' } = address.spec.parentRef ?? {};
  const isService = group === '' && resource === 'services';
  return {
    item: nameOf(address),
    owner: isService ? `${namespace}/${name}` : `${resource}.${group}/${namespace}/${name}`,
    revision: Number(metaText(address, 'resourceVersion')),
    isExternal: labelsOf(address)[managerLabel(identifiers)] !== managerOf(identifiers),
  };
}

/** The label that names the program which manages an IPAddress. */
function managerLabel({ labelDomain }: Identifiers): string {
  return `ipaddress.${labelDomain}/managed-by`;
}

/** The label value of IPAddresses that servers manage. */
function managerOf({ apiDomain }: Identifiers): string {
  return `ipallocator.${apiDomain}`;
}

function addressObject(identifiers: Identifiers, item: string, owner: string): JsonObject {
  const [namespace = '', name = ''] = owner.split('/');
  return {
    metadata: {
      name: item,
      labels: {
        [`ipaddress.${identifiers.labelDomain}/ip-family`]: item.includes(':') ? 'IPv6' : 'IPv4',
        [managerLabel(identifiers)]: managerOf(identifiers),
      },
    },
    spec: { parentRef: { group: '', resource: 'services', namespace, name } },
  };
}
