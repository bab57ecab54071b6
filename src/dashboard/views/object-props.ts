import type { DiscoveredResource } from '../../client/discovery.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { Kinds } from '../server/kinds.ts';

/** An object and its place, for the tabs that show it. */
export interface ObjectProps {
  readonly kinds: Kinds;
  readonly kind: DiscoveredResource;
  readonly namespace: string;
  readonly name: string;
  readonly object: JsonObject;
}
