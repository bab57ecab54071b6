import { hostname } from 'node:os';
import { nowMicroTime } from '../../meta/time.ts';
import { type EventForm, newEventMetadata } from './event-form.ts';

/** The longest note. */
const noteLimit = 1024;

/** Events of a group of their own, such as `events.k8s.io`: further occurrences are a series. */
export function seriesEvents(group: string): EventForm {
  return {
    resource: { group, version: 'v1', resource: 'events' },
    countsReasons: true,
    newEvent({ subject, message, action, reason, type, related }, { component, host = hostname() }) {
      return {
        apiVersion: `${group}/v1`,
        kind: 'Event',
        metadata: newEventMetadata(subject),
        eventTime: nowMicroTime(),
        regarding: subject,
        related,
        type,
        reason,
        action: action ?? reason,
        note: message.slice(0, noteLimit),
        reportingController: component,
        reportingInstance: `${component}-${host}`,
      };
    },
    countedIn({ series }) {
      return { series: { count: countOf(series) + 1, lastObservedTime: nowMicroTime() } };
    },
  };
}

/** The first occurrence has no series. */
function countOf(series: unknown): number {
  return typeof series === 'object' && series !== null && 'count' in series ? Number(series.count) : 1;
}
