import type { Transformer } from '../ciphers/transformer.ts';
import { DataKeys } from './data-keys.ts';
import { checkKmsV1, kmsV1 } from './kms-v1.ts';
import { checkKmsV2, kmsV2 } from './kms-v2.ts';
import { KmsV2Plugin } from './kms-v2-plugin.ts';
import type { PluginMetrics } from './kms-metrics.ts';
import { PluginConnection } from './plugin-connection.ts';

/** A provider that uses a key management plugin. */
export interface KmsProvider {
  readonly kind: 'kms';
  readonly version: 'v1' | 'v2';
  readonly name: string;
  /** The path of the plugin's socket. */
  readonly socket: string;
  readonly timeoutMs: number;
  /** The size of the cache of data keys, for version 1; 0 disables it. */
  readonly cacheSize: number;
}

/** A plugin in use. */
export interface OpenedPlugin {
  readonly version: KmsProvider['version'];
  readonly transformer: Transformer;
  /** Checks the plugin; rejects if it cannot encrypt and decrypt. */
  check(): Promise<void>;
  close(): void;
}

interface PluginOptions {
  /** The prefix of encrypted values: `k8s:enc:`. */
  readonly encryptedPrefix: string;
  readonly metrics: PluginMetrics;
  readonly onMiss: () => void;
  /** Called when a key that the plugin refused is decrypted again. */
  readonly onRecovered: () => void;
}

/** How long the result of a check of version 1 is reused. */
const cachedMs = { healthy: 20_000, unhealthy: 3_000 };
/**
 * The most cached seeds of version 2. Each start of a server and each key of the plugin adds one.
 */
const mostSeeds = 10_000;

/** Opens a plugin. Resolves after the first check, whether or not it succeeds. */
export async function openPlugin(provider: KmsProvider, options: PluginOptions): Promise<OpenedPlugin> {
  return provider.version === 'v1' ? openV1(provider, options) : await openV2(provider, options);
}

function openV1(
  { name, socket, timeoutMs, cacheSize }: KmsProvider,
  { encryptedPrefix, metrics, ...notified }: PluginOptions,
): OpenedPlugin {
  const connection = new PluginConnection({ name, socket, timeoutMs, onCall: metrics.onCall });
  const prefix = Buffer.from(`${encryptedPrefix}kms:v1:${name}:`);
  const keys = new DataKeys({ ...notified, most: cacheSize, check: () => checkKmsV1(connection) });
  const transformer = kmsV1({ provider: prefix.toString(), prefix }, { connection, keys });
  let outcome: Promise<void> | undefined;
  const forgetAfter = (ms: number): void => void setTimeout(() => (outcome = undefined), ms).unref();
  const checkNow = (): Promise<void> => {
    const checking = checkKmsV1(connection);
    checking.then(
      () => forgetAfter(cachedMs.healthy),
      () => forgetAfter(cachedMs.unhealthy),
    );
    return checking;
  };
  const close = (): void => {
    keys.close();
    connection.close();
  };
  return { version: 'v1', transformer, check: () => (outcome ??= checkNow()), close };
}

async function openV2(
  { name, socket, timeoutMs }: KmsProvider,
  { encryptedPrefix, metrics, ...notified }: PluginOptions,
): Promise<OpenedPlugin> {
  const { onCall, onStatus, onKeyId, onSeeds } = metrics;
  const connection = new PluginConnection({ name, socket, timeoutMs, onCall });
  const plugin = new KmsV2Plugin({ name, connection, onStatus });
  const prefix = Buffer.from(`${encryptedPrefix}kms:v2:${name}:`);
  const seeds = new DataKeys({ ...notified, most: mostSeeds, check: () => checkKmsV2(connection) });
  const used: typeof onKeyId = (direction, keyId) => {
    onKeyId(direction, keyId);
    onSeeds(seeds.size);
  };
  const transformer = kmsV2({ provider: prefix.toString(), prefix }, { plugin, connection, seeds, onKeyId: used });
  await plugin.start();
  const close = (): void => {
    seeds.close();
    plugin.close();
  };
  return { version: 'v2', transformer, check: () => plugin.check(), close };
}
