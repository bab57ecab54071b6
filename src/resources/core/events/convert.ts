import type { JsonObject } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';

/** Fields that have another name in the group `events` (spec 9.3). */
const renamed: readonly (readonly [stored: string, served: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

const storedNames: ReadonlyMap<string, string> = new Map(renamed.map(([stored, served]) => [served, stored]));
const servedNames: ReadonlyMap<string, string> = new Map(renamed);

const conversion = {
  toStorage: (event: JsonObject) => rename(event, storedNames),
  fromStorage: (event: JsonObject) => rename(event, servedNames),
};

/** The conversions of the group `events`. Events of either group are stored as core events. */
export const eventConversions = {
  'events/v1': conversion,
  'events/v1beta1': conversion,
} satisfies Readonly<Record<string, Conversion>>;

function rename(event: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(event).map(([name, value]) => [names.get(name) ?? name, value]));
}
