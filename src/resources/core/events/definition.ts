import { builtIn } from '../../built-in.ts';
import { name, text, wide } from '../../columns.ts';
import { strategy } from './strategy.ts';

/** The resource `events` of the core group. */
export const events = builtIn({
  group: '',
  resource: 'events',
  kind: 'Event',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['ev'],
  columns: [
    text('Last Seen'),
    text('Type'),
    text('Reason'),
    text('Object'),
    wide('Subobject'),
    wide('Source'),
    text('Message'),
    wide('First Seen'),
    wide('Count'),
    { ...name, priority: 1 },
  ],
  strategy,
});
