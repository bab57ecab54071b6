import type { KindInVersion } from '../../codec/codec.ts';
import type { RequestScope, ResourceRegistry } from '../../registry/definition/registry.ts';
import type { Catalogue, ServedResource } from '../../registry/definition/catalogue.ts';
import type { SubresourceDefinition } from '../../registry/definition/resource-definition.ts';
import type { ListFeatures } from './list-features.ts';
import type { Exchange } from './exchange.ts';

/** A request for a served verb of a served resource. */
export interface ResourceCall {
  readonly exchange: Exchange;
  readonly catalogue: Catalogue;
  readonly served: ServedResource;
  readonly subresource: SubresourceDefinition | undefined;
  readonly registry: ResourceRegistry;
  readonly scope: RequestScope;
  readonly bodyLimitBytes: number;
  readonly listFeatures: ListFeatures;
}

/**
 * The handler of one verb: checks options and body, calls the registry, responds. Throws
 * `StatusError`.
 */
export type VerbHandler = (call: ResourceCall) => Promise<void> | void;

/**
 * Returns the kind of the request and response: the kind of the resource, or of a sub-resource with
 * its own kind.
 */
export function kindOf({ served, subresource }: Pick<ResourceCall, 'served' | 'subresource'>): KindInVersion {
  return subresource?.kind ?? { group: served.info.group, version: served.version.version, kind: served.info.kind };
}

/** Returns `apps/v1`, or `v1` for the core group. */
export function apiVersionOf({ group, version }: Pick<KindInVersion, 'group' | 'version'>): string {
  return group ? `${group}/${version}` : version;
}
