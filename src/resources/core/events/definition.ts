import type { Event } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `events` of the core group. */
export const events = builtIn<Event>({
  group: '',
  resource: 'events',
  kind: 'Event',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['ev'],
  columns,
  strategy,
});
