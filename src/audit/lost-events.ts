import type { AuditMetrics, AuditPlugin } from './audit-metrics.ts';

/** The log of the server. */
interface AuditProblemLog {
  error(details: object, message: string): void;
  info(details: object, message: string): void;
}

/** Counts lost events and logs the first of consecutive failures, and the first success after. */
export class LostEvents {
  readonly #plugin: AuditPlugin;
  readonly #metrics: Pick<AuditMetrics, 'errors'>;
  readonly #log: AuditProblemLog;
  #isFailing = false;

  constructor(plugin: AuditPlugin, metrics: Pick<AuditMetrics, 'errors'>, log: AuditProblemLog) {
    this.#plugin = plugin;
    this.#metrics = metrics;
    this.#log = log;
  }

  /** Notes a failure that lost a number of events. */
  lost(count: number, error: Error): void {
    this.#metrics.errors(this.#plugin).add(count);
    if (!this.#isFailing) this.#log.error({ err: error, plugin: this.#plugin }, 'audit events are lost');
    this.#isFailing = true;
  }

  /** Notes that events were written. */
  written(): void {
    if (this.#isFailing) this.#log.info({ plugin: this.#plugin }, 'audit events are written again');
    this.#isFailing = false;
  }
}
