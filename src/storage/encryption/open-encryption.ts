import { lazyModule } from '../../package/lazy-module.ts';
import { aesCbc } from './ciphers/aes-cbc.ts';
import { aesGcm } from './ciphers/aes-gcm.ts';
import type { EncryptionMetrics } from './encryption-metrics.ts';
import type { EncryptionProvider, EncryptionRule, KeyProvider } from './encryption-rule.ts';
import { identity } from './ciphers/identity.ts';
import type { PluginMetrics } from './kms/kms-metrics.ts';
import type { OpenedPlugin } from './kms/open-plugin.ts';
import type { Transformer, TransformerName } from './ciphers/transformer.ts';

/** The transformers of a configuration, with the plugins that they use. */
export interface OpenedEncryption {
  /** Returns the transformers of a resource; undefined if its values are not encrypted. */
  transformersOf(segment: string): readonly Transformer[] | undefined;
  readonly plugins: readonly OpenedPlugin[];
  /** The longest timeout of the plugins, in milliseconds. */
  readonly longestCallMs: number;
  close(): void;
}

interface EncryptionContext {
  /** The prefix of encrypted values: `k8s:enc:`. */
  readonly encryptedPrefix: string;
  readonly metrics: EncryptionMetrics;
  readonly pluginMetrics: (plugin: string) => PluginMetrics;
  /** Called when values that a plugin refused to decrypt can be read again. */
  readonly onRecovered: () => void;
}

/** The most segments whose transformers are cached, more than a server has resources. */
const mostSegments = 2_000;

/** Loaded only if the configuration has such providers. */
const loadSecretbox = lazyModule(() => import('./ciphers/secretbox.ts'));
const loadPlugins = lazyModule(() => import('./kms/open-plugin.ts'));

/** Opens the providers of a configuration. */
export async function openEncryption(
  rules: readonly EncryptionRule[],
  context: EncryptionContext,
): Promise<OpenedEncryption> {
  const plugins: OpenedPlugin[] = [];
  const byResource = new Map<string, readonly Transformer[]>();
  for (const { resources, providers } of rules) {
    const transformers: Transformer[] = [];
    for (const provider of providers) transformers.push(...(await openProvider(provider, context, plugins)));
    for (const resource of resources) {
      byResource.set(resource, [...(byResource.get(resource) ?? []), ...transformers]);
    }
  }
  const timeouts = rules.flatMap(({ providers }) => providers.map((one) => (one.kind === 'kms' ? one.timeoutMs : 0)));
  return {
    transformersOf: measuredBySegment(byResource, context.metrics),
    plugins,
    longestCallMs: Math.max(0, ...timeouts),
    close() {
      for (const plugin of plugins) plugin.close();
    },
  };
}

/**
 * Returns a function that finds transformers by key segment: for the resource, else its group, else
 * all.
 */
function measuredBySegment(
  byResource: ReadonlyMap<string, readonly Transformer[]>,
  metrics: EncryptionMetrics,
): OpenedEncryption['transformersOf'] {
  const found = new Map<string, readonly Transformer[] | undefined>();
  return (segment) => {
    if (found.has(segment)) return found.get(segment);
    const dot = segment.indexOf('.');
    const group = dot < 0 ? '' : segment.slice(dot + 1);
    const transformers = isOfServer(segment)
      ? undefined
      : (byResource.get(segment) ?? byResource.get(`*.${group}`) ?? byResource.get('*.*'));
    const measured = transformers?.map((one) => metrics.measured(one, segment));
    // The cache is simply cleared when it is full: definitions may come and go.
    if (found.size === mostSegments) found.clear();
    found.set(segment, measured);
    return measured;
  };
}

/** True for the segment of internal keys, and for keys without a segment. */
function isOfServer(segment: string): boolean {
  return segment === '~' || segment === '';
}

async function openProvider(
  provider: EncryptionProvider,
  { encryptedPrefix, metrics, pluginMetrics, onRecovered }: EncryptionContext,
  plugins: OpenedPlugin[],
): Promise<readonly Transformer[]> {
  if (provider.kind === 'identity') return [identity(Buffer.from(encryptedPrefix))];
  if (provider.kind !== 'kms') return await keyTransformers(provider, encryptedPrefix);
  const { openPlugin } = await loadPlugins();
  const opened = await openPlugin(provider, {
    encryptedPrefix,
    metrics: pluginMetrics(provider.name),
    onMiss: () => metrics.missed(),
    onRecovered,
  });
  plugins.push(opened);
  return [opened.transformer];
}

async function keyTransformers({ kind, keys }: KeyProvider, encryptedPrefix: string): Promise<readonly Transformer[]> {
  const create = kind === 'secretbox' ? (await loadSecretbox()).secretbox : { aesgcm: aesGcm, aescbc: aesCbc }[kind];
  const provider = `${encryptedPrefix}${kind}:v1:`;
  return keys.map(({ name, secret }) => {
    const named: TransformerName = { provider, prefix: Buffer.from(`${provider}${name}:`) };
    return create(named, secret);
  });
}
