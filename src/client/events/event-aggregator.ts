import { LRUCache } from 'lru-cache';
import { TokenBucket } from '../../async/token-bucket.ts';

/** An occurrence, as far as equal ones are counted together. */
interface EventOccurrence {
  /** Identifies the object. */
  readonly object: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** An occurrence to write: the first of an Event, or one more. */
interface CountedEvent {
  /** Identifies the Event to which the occurrence belongs. */
  readonly key: string;
  /** The message of the Event, which may stand for several similar ones. */
  readonly message: string;
}

/** The objects and Events that are remembered, as in client-go. */
const cacheEntries = 4096;

/** From this number of different messages for one reason on, they are combined. */
const distinctMessages = 10;

/** The time in which messages are compared. */
const similarityMs = 600_000;

/** The Events of one object: some at once, then one in five minutes. */
const objectRate = Object.freeze({ burst: 25, perSecond: 1 / 300 });

/** Decides which Event an occurrence belongs to, so that repeated ones do not fill the store. */
export class EventAggregator {
  readonly #rates = new LRUCache<string, TokenBucket>({ max: cacheEntries });
  readonly #messages = new LRUCache<string, { readonly messages: Set<string>; seenMs: number }>({ max: cacheEntries });

  /** Returns the Event of an occurrence; undefined if its object has had too many. */
  count({ object, type, reason, message }: EventOccurrence, nowMs: number): CountedEvent | undefined {
    const similar = JSON.stringify([object, type, reason]);
    const messages = this.#messagesOf(similar, nowMs);
    messages.add(message);
    const combined = messages.size >= distinctMessages;
    if (combined) messages.delete(message);
    if (!this.#rateOf(object, nowMs).tryTake(nowMs)) return undefined;
    if (combined) return { key: similar, message: `(combined from similar events): ${message}` };
    return { key: JSON.stringify([object, type, reason, message]), message };
  }

  #messagesOf(similar: string, nowMs: number): Set<string> {
    const known = this.#messages.get(similar);
    const entry = known && nowMs - known.seenMs < similarityMs ? known : { messages: new Set<string>(), seenMs: nowMs };
    entry.seenMs = nowMs;
    this.#messages.set(similar, entry);
    return entry.messages;
  }

  #rateOf(object: string, nowMs: number): TokenBucket {
    const known = this.#rates.get(object) ?? new TokenBucket(objectRate, nowMs);
    this.#rates.set(object, known);
    return known;
  }
}
