import type { AuditBackend } from './audit-backend.ts';
import type { AuditEvent } from './audit-event.ts';
import type { AuditFile } from './audit-file.ts';
import { type BatchOptions, BatchQueue } from './batch-queue.ts';
import type { LostEvents } from './lost-events.ts';

interface BatchingLogOptions {
  readonly file: AuditFile;
  /** Encodes an event as a line with its line feed. */
  readonly lineOf: (event: AuditEvent) => string;
  readonly batch: BatchOptions;
  readonly lostEvents: LostEvents;
  /** Counts events that do not fit into the buffer. */
  readonly overflow: LostEvents;
}

/** The file writes the batches that wait for it together. */
const deliveries = 400;

/** A stopping server writes the remaining events within this time. */
const closeLimitMs = 5_000;

/** Writes events to a file in batches, by another thread. */
export function batchingLog({ file, lineOf, batch, lostEvents, overflow }: BatchingLogOptions): AuditBackend {
  const deliver = async (events: readonly AuditEvent[]): Promise<void> => {
    const error = await file.write(events.map(lineOf).join(''));
    if (error) lostEvents.lost(events.length, error);
    else lostEvents.written();
  };
  const queue = new BatchQueue({ ...batch, deliver, deliveries });
  return {
    isStrict: false,
    send(event) {
      if (queue.add(event)) overflow.written();
      else overflow.lost(1, new Error('the buffer of audit events is full'));
      return true;
    },
    flush: () => {},
    async close() {
      await queue.close(closeLimitMs);
      await file.close();
    },
  };
}
