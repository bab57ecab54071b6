import type { MaybePromise } from '../async/maybe-promise.ts';
import type { AuditBackend } from './audit-backend.ts';
import type { AuditEvent } from './audit-event.ts';
import type { LostEvents } from './lost-events.ts';

/** The largest events and batches of a backend. */
export interface TruncateOptions {
  readonly maxEventBytes: number;
  readonly maxBatchBytes: number;
}

/** The size of the fields of an event that have about the same size in each. */
const fixedBytes = 400;

/** Returns the approximate size of an event as JSON. */
export function sizeOf({
  requestUri,
  userAgent,
  requestObject = '',
  responseObject = '',
  annotations,
}: AuditEvent): number {
  let size = fixedBytes + requestUri.length + userAgent.length + requestObject.length + responseObject.length;
  for (const text of annotations) size += text.length;
  return size;
}

interface TruncatingOptions {
  readonly maxEventBytes: number;
  readonly lostEvents: LostEvents;
  /** The name of the annotation of events that lack their objects. */
  readonly annotation: string;
}

/** Passes events on to a backend, large ones without their objects. Larger ones still are lost. */
export function truncating(backend: AuditBackend, options: TruncatingOptions): AuditBackend {
  const { maxEventBytes, lostEvents, annotation } = options;
  return {
    isStrict: backend.isStrict,
    send(event): MaybePromise<boolean> {
      if (sizeOf(event) <= maxEventBytes) return backend.send(event);
      const short = withoutObjects(event, annotation);
      if (sizeOf(short) <= maxEventBytes) return backend.send(short);
      lostEvents.lost(1, new Error(`event ${event.auditId} is too large`));
      return true;
    },
    flush: () => backend.flush(),
    close: () => backend.close(),
  };
}

function withoutObjects(event: AuditEvent, annotation: string): AuditEvent {
  const { annotations } = event;
  const next = annotations.findIndex((text, index) => index % 2 === 0 && text > annotation);
  return {
    ...event,
    requestObject: undefined,
    responseObject: undefined,
    annotations: annotations.toSpliced(next < 0 ? annotations.length : next, 0, annotation, 'true'),
  };
}
