import { randomUUID } from 'node:crypto';
import { KeyManagementService, type StatusResponse } from '../../../gen/kms/v2/kms_pb.ts';
import { EncryptedDekSourceType } from '../../../gen/storage/v1/encrypted_object_pb.ts';
import { pause } from '../../../async/timers.ts';
import { StorageError } from '../../port/storage-error.ts';
import { type EncryptedSource, keyIdProblem, sourceProblem } from './encrypted-object.ts';
import type { PluginConnection } from './plugin-connection.ts';
import { newSeed } from './seed-cipher.ts';

/** The seed that encrypts new values. */
interface WriteSeed {
  readonly seed: Buffer;
  readonly source: EncryptedSource;
}

/** The times of a plugin, in milliseconds. */
interface PluginTimes {
  /** The times between checks of a healthy and an unhealthy plugin. */
  readonly healthyMs: number;
  readonly unhealthyMs: number;
  /** How long the result of a check is reused. */
  readonly cachedHealthyMs: number;
  readonly cachedUnhealthyMs: number;
  /** How long a seed may encrypt after the last check that confirmed its key. */
  readonly writesMs: number;
}

/** The times of kube-apiserver: after 3 minutes a key that the plugin has replaced is not used. */
const defaultTimes: PluginTimes = {
  healthyMs: 60_000,
  unhealthyMs: 10_000,
  cachedHealthyMs: 20_000,
  cachedUnhealthyMs: 3_000,
  writesMs: 180_000,
};

/** The options of a version 2 plugin. */
interface KmsV2Options {
  readonly name: string;
  readonly connection: PluginConnection;
  /** Called with each status of the plugin. */
  readonly onStatus: (keyId: string, problem: string | undefined) => void;
  readonly times?: PluginTimes;
}

/**
 * A version 2 key management plugin: its health, and the seed that is encrypted with its current
 * key. While the plugin is down, values can be read with cached seeds, and written for a limited
 * time.
 */
export class KmsV2Plugin {
  readonly #options: KmsV2Options;
  readonly #times: PluginTimes;
  readonly #closing = new AbortController();
  #current: WriteSeed | undefined;
  #writesUntilMs = 0;
  #version: string | undefined;
  #checking: Promise<void> | undefined;
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  #problem: Error | undefined;

  constructor(options: KmsV2Options) {
    this.#options = options;
    this.#times = options.times ?? defaultTimes;
  }

  /** The seed of new values, which may have expired. */
  get current(): WriteSeed | undefined {
    return this.#current;
  }

  /** Checks the plugin, and again periodically until `close`. Never rejects. */
  async start(): Promise<void> {
    await this.check().catch(() => undefined);
    void this.#poll();
  }

  /**
   * Returns the seed to encrypt with. Throws Unavailable if there is none, or if it has expired.
   */
  writeSeed(): WriteSeed {
    if (this.#current && performance.now() < this.#writesUntilMs) return this.#current;
    const why = this.#problem?.message ?? 'its key was not confirmed in time';
    throw new StorageError('Unavailable', `nothing can be encrypted: ${why}`);
  }

  /**
   * Checks the plugin, and replaces the seed if its key has changed. Rejects if the plugin fails.
   * The result of a recent check is reused.
   */
  async check(): Promise<void> {
    const { cachedHealthyMs, cachedUnhealthyMs } = this.#times;
    const ageMs = performance.now() - this.#checkedAtMs;
    if (ageMs < (this.#problem ? cachedUnhealthyMs : cachedHealthyMs)) return this.#throwProblem();
    this.#checking ??= this.#check().finally(() => (this.#checking = undefined));
    await this.#checking;
    this.#throwProblem();
  }

  /** Stops the checks and closes the connection. */
  close(): void {
    this.#closing.abort();
    this.#options.connection.close();
  }

  #throwProblem(): void {
    if (this.#problem) throw this.#problem;
  }

  async #poll(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const { healthyMs, unhealthyMs } = this.#times;
      await pause(this.#problem ? unhealthyMs : healthyMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.check().catch(() => undefined);
    }
  }

  async #check(): Promise<void> {
    const { connection, name, onStatus } = this.#options;
    try {
      const startMs = performance.now();
      const status = await connection.call(KeyManagementService.method.status, {});
      const badId = keyIdProblem(status.keyId);
      onStatus(status.keyId, badId);
      const problem = this.#statusProblem(status) ?? badId;
      if (!badId) await this.#use(status.keyId, startMs);
      if (problem)
        throw new StorageError('Unavailable', `the key management plugin ${name} is not healthy: ${problem}`);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#checkedAtMs = performance.now();
    }
  }

  #statusProblem({ healthz, version }: StatusResponse): string | undefined {
    if (healthz !== 'ok') return `its status is ${JSON.stringify(healthz)}`;
    if (version !== 'v2' && version !== 'v2beta1') return `its version is ${JSON.stringify(version)}, not v2`;
    this.#version ??= version;
    return version === this.#version ? undefined : `its version was ${this.#version} and is ${version} now`;
  }

  /** Confirms the seed, or makes a new one for the key. Its time counts from before the check. */
  async #use(keyId: string, startMs: number): Promise<void> {
    if (this.#current?.source.keyId !== keyId) this.#current = await this.#newSeed(keyId);
    this.#writesUntilMs = startMs + this.#times.writesMs;
  }

  async #newSeed(keyId: string): Promise<WriteSeed> {
    const { connection, name } = this.#options;
    const seed = newSeed();
    const response = await connection.call(KeyManagementService.method.encrypt, { plaintext: seed, uid: randomUUID() });
    const { ciphertext: encryptedDekSource, annotations } = response;
    const encryptedDekSourceType = EncryptedDekSourceType.HKDF_SHA256_XNONCE_AES_GCM_SEED;
    const source = { encryptedDekSource, keyId: response.keyId, annotations, encryptedDekSourceType };
    const problem =
      response.keyId === keyId ? sourceProblem(source) : 'it encrypts with another key than its status names';
    if (problem) throw new StorageError('Unavailable', `the key management plugin ${name} is not healthy: ${problem}`);
    return { seed, source };
  }
}
