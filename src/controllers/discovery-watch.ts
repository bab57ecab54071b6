import { pause } from '../async/timers.ts';
import { whenAborted } from '../async/abort-signals.ts';
import type { Client } from '../client/client.ts';
import { type DiscoveryState, discoveryState } from '../client/discovery.ts';

/** The usual time between two discovery requests. */
const usualLookMs = 30_000;

/**
 * Detects when a server serves other kinds, for all controllers that wait for one. While any of
 * them waits it sends one request in 30 seconds, which the server answers without a body if nothing
 * changed.
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

  /** Records what is served now, unless that is recorded already. Later changes are detected. */
  async begin(): Promise<void> {
    this.#last ??= await this.#look();
  }

  /** Resolves when other kinds are served than recorded, or when a signal aborts. */
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
      // If the server is unavailable, the next request tries again.
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
