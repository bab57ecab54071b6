import { builtIn } from '../../built-in.ts';
import { columns } from '../../core/events/columns.ts';
import { eventConversions } from '../../core/events/convert.ts';
import { rulesBeforeStrictUpdates, strategy } from '../../core/events/strategy.ts';

/** The resource `events` of the group `events`. */
export const eventsOfTheirGroup = builtIn({
  group: 'events',
  resource: 'events',
  kind: 'Event',
  namespaced: true,
  versions: {
    v1: { introduced: '1.19', conversion: eventConversions['events/v1'] },
    v1beta1: {
      introduced: '1.8',
      deprecated: { since: '1.22', removed: '1.25', replacement: 'v1' },
      conversion: eventConversions['events/v1beta1'],
    },
  },
  storedAs: { group: '', version: 'v1' },
  shortNames: ['ev'],
  columns,
  strategy,
  earlierRules: { before: '1.22', hooks: rulesBeforeStrictUpdates },
});
