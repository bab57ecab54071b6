import { formatTime } from '../../meta/time.ts';
import { type EventForm, newEventMetadata } from './event-form.ts';

/** Events of the core API: a counter, the first and the last time. */
export const coreEvents: EventForm = {
  resource: { group: '', version: 'v1', resource: 'events' },
  countsReasons: false,
  newEvent({ subject, ...description }, { component, host }) {
    const now = formatTime(Date.now());
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: newEventMetadata(subject),
      involvedObject: subject,
      ...description,
      source: { component, host },
      reportingComponent: component,
      reportingInstance: host ?? '',
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    };
  },
  countedIn({ count }, { message, lastTimestamp }) {
    return { message, lastTimestamp, count: Number(count ?? 0) + 1 };
  },
};
