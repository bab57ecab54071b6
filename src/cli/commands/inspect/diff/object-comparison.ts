import type { DiscoveredResource } from '../../../../client/discovery.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';

/** Two states of an object; undefined is one in which it does not exist. */
export interface ObjectComparison {
  readonly resource: DiscoveredResource;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}
