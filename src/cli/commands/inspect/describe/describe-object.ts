import type { DiscoveredResource } from '../../../../client/discovery.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { alignColumns } from './parts/align-columns.ts';
import { descriptionOf, genericDescription } from './descriptions.ts';
import { eventLines } from './parts/events.ts';
import { builtIn, eventsAbout, readRelated, type Source } from './parts/related.ts';
import { shortGroup } from './parts/values.ts';
import { visibleLines } from '../../../format-rows.ts';

/**
 * The resource to read for a description: that of a built-in kind in its preferred version, which
 * the description is written for, and any other as it was named.
 */
export async function describedResource(
  resources: readonly DiscoveredResource[],
  resource: DiscoveredResource,
): Promise<DiscoveredResource> {
  const isKnown = (await descriptionOf(resource)) !== undefined;
  return (isKnown && builtIn(resources, shortGroup(resource.group), resource.resource)) || resource;
}

/** Describes an object: its fields, what belongs to it, and its Events. */
export async function describeObject(
  source: Source,
  resource: DiscoveredResource,
  object: JsonObject,
  showEvents: boolean,
): Promise<string> {
  const { sections, needs, events: by } = (await descriptionOf(resource)) ?? (await genericDescription());
  const [related, events] = await Promise.all([
    readRelated(source, object, needs),
    showEvents && by !== 'none' ? eventsAbout(source, object, by) : undefined,
  ]);
  const nowMs = Date.now();
  const lines = sections.flatMap((section) => section(object, { nowMs, related }));
  return visibleLines(alignColumns([...lines, ...(events ? eventLines(events, nowMs) : [])]));
}
