import type { Event as StoredEvent } from '../../../gen/stored/core-v1.ts';
import type { Event } from '../../../gen/stored/events-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from '../../core/events/columns.ts';
import { rulesBeforeStrictUpdates, strategy } from '../../core/events/strategy.ts';

/** Fields of the group `events` that have another name in the core group (spec 9.3). */
const renamed = {
  regarding: 'involvedObject',
  note: 'message',
  reportingController: 'reportingComponent',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
} as const satisfies Partial<Record<keyof Event, keyof StoredEvent>>;

const storedNames: ReadonlyMap<string, string> = new Map(Object.entries(renamed));
const servedNames: ReadonlyMap<string, string> = new Map([...storedNames].map(([served, stored]) => [stored, served]));

/** Events of either group are stored as core events. */
const conversion = {
  toStorage: (event: JsonObject) => rename(event, storedNames),
  fromStorage: (event: JsonObject) => rename(event, servedNames),
};

function rename(event: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(event).map(([name, value]) => [names.get(name) ?? name, value]));
}

/** The resource `events` of the group `events`. */
export const eventsOfTheirGroup = builtIn<StoredEvent>({
  group: 'events',
  resource: 'events',
  kind: 'Event',
  namespaced: true,
  versions: {
    v1: { introduced: '1.19', conversion },
    v1beta1: {
      introduced: '1.8',
      deprecated: { since: '1.22', removed: '1.25', replacement: 'v1' },
      conversion,
    },
  },
  storedAs: { group: '', version: 'v1' },
  shortNames: ['ev'],
  columns,
  strategy,
  earlierRules: { before: '1.22', hooks: rulesBeforeStrictUpdates },
});
