import { LRUCache } from 'lru-cache';
import { backOffMs, pause } from '../../async/timers.ts';
import { once } from '../../meta/memoize.ts';
import type { ApiObject } from '../api-object.ts';
import type { Client } from '../client.ts';
import { type Clock, runtimeClock } from '../clock.ts';
import { Fifo } from '../queue/work-queue.ts';
import { hasReason, StatusError } from '../error-of-response.ts';
import { EventAggregator } from './event-aggregator.ts';
import {
  type ObjectReference,
  type Occurrence,
  type RecordedEvent,
  referenceTo,
  type EventForm,
  newEventMetadata,
} from './event-form.ts';
import { formatTime, nowMicroTime } from '../../meta/time.ts';
import { hostname } from 'node:os';

/** The longest note. */
const noteLimit = 1024;

/** Events of a group of their own, such as `events.k8s.io`: further occurrences are a series. */
function seriesEvents(group: string): EventForm {
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

/** Events of the core API: a counter, the first and the last time. */
const coreEvents: EventForm = {
  resource: { group: '', version: 'v1', resource: 'events' },
  countsReasons: false,
  newEvent({ subject, ...description }, { component, host, isCombined }) {
    const now = formatTime(Date.now());
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: newEventMetadata(subject),
      involvedObject: subject,
      ...description,
      source: { component, host },
      // client-go leaves the component out of combined Events.
      reportingComponent: isCombined ? '' : component,
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

/** An occurrence to report about an object. */
export interface EventDescription {
  readonly type: 'Normal' | 'Warning';
  /** One word for programs: `FailedCreate`. */
  readonly reason: string;
  /** A sentence for users. */
  readonly message: string;
  /** The action that was tried: `Binding`. */
  readonly action?: string;
  /** A second object that is concerned. */
  readonly related?: ApiObject;
}

/** Options of a recorder. */
export interface EventRecorderOptions {
  /** The program that reports, such as the name of a controller. */
  readonly component: string;
  /** The host of the program. */
  readonly host?: string;
  /**
   * The group of the Events. The default is '', the core API. Events of `events.k8s.io` count all
   * occurrences with one reason in a series, whatever their messages are.
   */
  readonly group?: string;
  /** Drops the Events that have not been written. */
  readonly signal: AbortSignal;
  /** Called with errors of Events that are dropped for them. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
}

/** Reports occurrences as Events. */
export interface EventRecorder {
  /**
   * Reports an occurrence about an object, which has its apiVersion and kind. Returns at once.
   * Equal occurrences are counted in one Event, similar ones are combined, and one object has at
   * most 25 Events at once and one more every five minutes.
   */
  record(object: ApiObject, event: EventDescription): void;
  /** Waits until all Events have been written or dropped. */
  flush(): Promise<void>;
}

/** Events that wait for the server; later ones are dropped. */
const queueLimit = 1000;

/** Attempts to write an Event while the server is away, for about two minutes. */
const attemptLimit = 12;

const retryDelays = Object.freeze({ initialMs: 1000, maximumMs: 10_000 });

/** Written Events that are remembered, to count further occurrences in them. */
const writtenLimit = 4096;

/**
 * Creates a recorder of Events.
 *
 * @example
 * const recorder = createEventRecorder(client, { component: 'greeter', signal });
 * recorder.record(greeting, { type: 'Normal', reason: 'Greeted', message: 'said hello' });
 */
export function createEventRecorder(client: Client, options: EventRecorderOptions): EventRecorder {
  const { component, host, group = '', signal, onError, clock = runtimeClock } = options;
  const form = group === '' ? coreEvents : seriesEvents(group);
  const events = client.resource(form.resource);
  // Most recorders of a program are never used, and the caches take time and memory.
  const recorded = once(() => ({
    aggregator: new EventAggregator(),
    written: new LRUCache<string, RecordedEvent>({ max: writtenLimit }),
  }));
  const waiting = new Fifo<() => Promise<void>>();
  let running = Promise.resolve();
  let idle = true;

  async function drain(): Promise<void> {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
      await next().catch((error: unknown) => signal.aborted || onError?.(error));
    }
    idle = true;
  }

  async function write(key: string, event: RecordedEvent): Promise<void> {
    const { namespace } = event.metadata;
    const { written } = recorded();
    const known = written.get(key);
    if (known) {
      try {
        const patch = { type: 'merge' as const, namespace, signal };
        written.set(key, await events.patch(known.metadata.name, form.countedIn(known, event), patch));
        return;
      } catch (error) {
        // It has expired.
        if (!hasReason(error, 'NotFound')) throw error;
      }
    }
    try {
      written.set(key, await events.create(event, { namespace, signal }));
    } catch (error) {
      // An earlier attempt was written, although its response was lost.
      if (!hasReason(error, 'AlreadyExists')) throw error;
      written.set(key, event);
    }
  }

  return {
    record(object, { type, reason, message, action, related }) {
      const subject = referenceTo(object);
      const about = related && referenceTo(related);
      const occurrence = { subject, type, reason, message, action, related: about };
      const counted = recorded().aggregator.count(
        { object: identityOf(subject), type, reason, message },
        clock.nowMs(),
      );
      if (!counted || waiting.length >= queueLimit || signal.aborted) return;
      const of = form.countsReasons ? { key: reasonOf(occurrence), message } : counted;
      const isCombined = of.message !== message;
      const event = form.newEvent({ ...occurrence, message: of.message }, { component, host, isCombined });
      waiting.push(() => withRetries(() => write(of.key, event), signal));
      if (!idle) return;
      idle = false;
      running = drain();
    },
    flush: () => running,
  };
}

function identityOf({ kind, namespace, name, uid, apiVersion }: ObjectReference): string {
  return JSON.stringify([kind, namespace, name, uid, apiVersion]);
}

/** Identifies the occurrences that differ in their messages alone. */
function reasonOf({ subject, type, reason, action, related }: Occurrence): string {
  return JSON.stringify([identityOf(subject), type, reason, action, related && identityOf(related)]);
}

/** Repeats a write whose failure says that a later one may succeed. */
async function withRetries(write: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      const passing = error instanceof StatusError && (error.code === 0 || error.code === 429 || error.code >= 500);
      if (!passing || attempt === attemptLimit - 1 || signal.aborted) throw error;
      await pause(backOffMs(attempt, retryDelays), signal);
    }
  }
}
