import { pause } from '../async/timers.ts';
import { whenAborted } from '../async/abort-signals.ts';
import type { Client } from '../client/client.ts';
import { type DiscoveryState, discoveryState } from '../client/discovery.ts';

/** The usual time between two looks at the resources of the server. */
const usualLookMs = 30_000;

/**
 * Sees when a server serves other kinds, for all who wait for one: one request in 30 seconds while
 * anyone waits, which the server answers without a body as long as nothing has changed.
 */
export class DiscoveryWatch {
  readonly #client: Client;
  readonly #signal: AbortSignal;
  readonly #lookMs: number;
  #last: DiscoveryState | undefined;
  #change = new AbortController();
  #waiting = 0;
  #isLooking = false;

  constructor(client: Client, signal: AbortSignal, lookMs = usualLookMs) {
    this.#client = client;
    this.#signal = signal;
    this.#lookMs = lookMs;
  }

  /** Notes the resources that are served now, unless they are known. Changes count from then on. */
  async begin(): Promise<void> {
    this.#last ??= await this.#look();
  }

  /** Resolves when other kinds are served than at the last look, or when a signal aborts. */
  async nextChange(signal: AbortSignal): Promise<void> {
    this.#waiting++;
    if (!this.#isLooking) void this.#lookOn();
    await whenAborted(AbortSignal.any([signal, this.#signal, this.#change.signal]));
    this.#waiting--;
  }

  async #lookOn(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting > 0 && !this.#signal.aborted) {
      await pause(this.#lookMs, this.#signal);
      // A server that is away is asked again.
      const found = await this.#look().catch(() => this.#last);
      if (found?.text === this.#last?.text) continue;
      this.#last = found;
      this.#change.abort();
      this.#change = new AbortController();
    }
    this.#isLooking = false;
  }

  async #look(): Promise<DiscoveryState> {
    return discoveryState(this.#client, '/apis', this.#last, this.#signal);
  }
}
