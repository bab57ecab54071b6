import type { ObjectState } from '../../cli/object-history.ts';
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
  /** The changes since the page follows the object, and how often some may have been missed. */
  readonly changes: readonly ObjectState[];
  readonly gaps: number;
}
