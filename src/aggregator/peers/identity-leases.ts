import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { labelsOf } from '../../meta/object-meta.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import type { ResourceCache } from '../../storage/cache/resource-cache.ts';

/** Called with the holder of a server's identity Lease; undefined when the Lease is deleted. */
type HolderListener = (server: string, holder: string | undefined) => void;

/** The label of identity Leases, and its value. */
export function identityLabel({ labelDomain, prefix }: Identifiers): readonly [key: string, value: string] {
  return [`apiserver.${labelDomain}/identity`, `${prefix}apiserver`];
}

/** Follows the identity Leases, by which the servers of a store find each other. */
export function followIdentityLeases(cache: ResourceCache, identifiers: Identifiers, listener: HolderListener): void {
  const known = new Map<string, string>();
  const namespace = `/${identifiers.prefix}system/`;
  const take = (server: string, holder: string | undefined): void => {
    if (known.get(server) === holder) return;
    if (holder === undefined) known.delete(server);
    else known.set(server, holder);
    listener(server, holder);
  };
  cache.follow({
    replace: (objects) => {
      const present = new Map<string, string>();
      for (const object of objects) {
        const lease = object.decode();
        const holder = holderOf(lease, identifiers);
        if (holder !== undefined) present.set(stringAt(objectAt(lease, 'metadata'), 'name'), holder);
      }
      for (const server of known.keys()) if (!present.has(server)) take(server, undefined);
      for (const [server, holder] of present) take(server, holder);
    },
    change: (key, current) => {
      // Skips the Leases of nodes, which change all the time.
      if (!key.includes(namespace)) return;
      take(key.slice(key.lastIndexOf('/') + 1), current && holderOf(current.decode(), identifiers));
    },
  });
}

function holderOf(lease: JsonObject, identifiers: Identifiers): string | undefined {
  const [key, value] = identityLabel(identifiers);
  if (stringAt(objectAt(lease, 'metadata'), 'namespace') !== `${identifiers.prefix}system`) return undefined;
  if (labelsOf(lease)[key] !== value) return undefined;
  return stringAt(objectAt(lease, 'spec'), 'holderIdentity') || undefined;
}
