import type { Endpoints } from '../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import { hasReason, systemScope } from '../../registry/internal/ensure-object.ts';
import type { ServerAddress } from './server-presence.ts';

/** The servers in the Endpoints of the API's own Service. */
export async function publishedServers(
  { registries, identifiers }: { readonly registries: Registries; readonly identifiers: Identifiers },
  signal: AbortSignal,
): Promise<readonly ServerAddress[]> {
  const registry = registries.forResource('', 'endpoints');
  if (!registry) return [];
  const scope = {
    ...systemScope(identifiers, registry, signal),
    namespace: 'default',
    name: identifiers.product,
  };
  const found = await registry.get(scope, { kind: 'latest' }).catch((error: unknown) => {
    if (!hasReason(error, 'NotFound')) throw error;
    return undefined;
  });
  if (!found) return [];
  // The registry returns objects of its kind.
  const { subsets } = JSON.parse(found.json.toString('utf8')) as Endpoints;
  return (subsets ?? []).flatMap(({ addresses, ports }) =>
    (addresses ?? []).map(({ ip }) => ({ address: ip, port: ports?.[0]?.port ?? 0 })),
  );
}

/**
 * The servers to publish by the reconciler `master-count`: the published ones and this one, at most
 * `count`. If there are too many, the ones that follow this server in the order of addresses are
 * dropped, so that stopped servers disappear over time.
 */
export function countedServers(
  published: readonly ServerAddress[],
  own: ServerAddress,
  count: number,
): readonly ServerAddress[] {
  const others = published.filter(({ address }) => address !== own.address);
  const sorted = [...others, own].toSorted((a, b) => (a.address < b.address ? -1 : 1));
  while (sorted.length > count) sorted.splice((sorted.indexOf(own) + 1) % sorted.length, 1);
  return sorted;
}
