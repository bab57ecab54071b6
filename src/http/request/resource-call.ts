import type { KindInVersion } from '../../codec/codec.ts';
import type { Column } from '../../codec/table.ts';
import type { RequestScope, ResourceRegistry } from '../../registry/registry.ts';
import type { Catalogue, ServedResource } from '../../registry/catalogue.ts';
import type { SubresourceDefinition } from '../../registry/resource-definition.ts';
import type { Exchange } from './exchange.ts';

/** A request that has been found to ask for a served verb of a served resource. */
export interface ResourceCall {
  readonly exchange: Exchange;
  readonly catalogue: Catalogue;
  readonly served: ServedResource;
  readonly subresource: SubresourceDefinition | undefined;
  readonly registry: ResourceRegistry;
  readonly scope: RequestScope;
  readonly bodyLimitBytes: number;
  /** Columns of its Tables, where it has its own. */
  readonly columns: readonly Column[] | undefined;
}

/** The handler of one verb: checks options and body, calls the registry, answers. Throws `StatusError`. */
export type VerbHandler = (call: ResourceCall) => Promise<void> | void;

/** The kind that a call takes and answers: the resource's, or that of a sub-resource with a kind of its own. */
export function kindOf({ served, subresource }: Pick<ResourceCall, 'served' | 'subresource'>): KindInVersion {
  return subresource?.kind ?? { group: served.info.group, version: served.version.version, kind: served.info.kind };
}

/** `apps/v1`, or `v1` in the core group. */
export function apiVersionOf({ group, version }: Pick<KindInVersion, 'group' | 'version'>): string {
  return group ? `${group}/${version}` : version;
}

/** The user agent, '' when there is none. */
export function userAgentOf({ request }: Exchange): string {
  return request.headers['user-agent'] ?? '';
}
