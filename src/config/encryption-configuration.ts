import { readFile } from 'node:fs/promises';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { parseDuration } from '../meta/duration.ts';
import { getOwn, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { isSet, objectAt, objectsAt, stringAt, stringsAt } from '../meta/read-field.ts';
import { duplicate, type FieldError, invalid, required } from '../status/field-error.ts';
import type { EncryptionKey, EncryptionProvider, EncryptionRule } from '../storage/encryption/encryption-rule.ts';
import type { KmsProvider } from '../storage/encryption/kms/open-plugin.ts';
import { parseConfiguration, unknownFields } from './configuration-file.ts';
import { contentHash } from './content-hash.ts';
import { encryptedResourceErrors, maskedResourceErrors } from './encrypted-resources.ts';
import { featureGateState } from './feature-gate-state.ts';
import { featuresOf } from './feature-gates.ts';
import { named } from './flags/pem-files.ts';
import type { ServerOptions } from './server-options.ts';

/** The content of an EncryptionConfiguration. */
export interface EncryptionConfiguration {
  readonly rules: readonly EncryptionRule[];
  /** The hash of the file. */
  readonly hash: string;
}

const fieldsOf = {
  configuration: ['apiVersion', 'kind', 'resources'],
  rule: ['resources', 'providers'],
  keys: ['keys'],
  key: ['name', 'secret'],
  kms: ['apiVersion', 'name', 'cachesize', 'endpoint', 'timeout'],
};

/** The lengths of keys in bytes, by provider. */
const keyLengths = { aesgcm: [16, 24, 32], aescbc: [16, 24, 32], secretbox: [32] } as const;
const providerNames = ['kms', 'aesgcm', 'aescbc', 'secretbox', 'identity'];
const defaultCacheSize = 1000;
const defaultTimeoutMs = 3_000;

/**
 * Parses an EncryptionConfiguration (apiserver.config v1), in YAML or JSON. Throws an Error with
 * all mistakes, without any secret in it. `apiDomain` is the domain of API groups.
 */
function parseEncryptionConfiguration(text: string, apiDomain: string): EncryptionConfiguration {
  const apiVersions = [`apiserver.config.${apiDomain}/v1`];
  const content = parseConfiguration(text, {
    kind: 'EncryptionConfiguration',
    apiVersions,
    isSecret: true,
  });
  const rules = objectsAt(content, 'resources');
  const errors = [
    ...unknownFields('', content, fieldsOf.configuration),
    ...(rules.length === 0 ? [required('resources', 'at least one resources is required')] : []),
    ...rules.flatMap((rule, index) => ruleErrors(rule, `resources[${index}]`, apiDomain)),
    ...repeatedPluginErrors(rules),
    ...maskedResourceErrors(rules.map((rule) => stringsAt(rule, 'resources'))),
  ];
  if (errors.length > 0) throw new Error(errors.map(({ field, message }) => `${field}: ${message}`).join('; '));
  return { rules: rules.map(ruleOf), hash: contentHash(text) };
}

function ruleErrors(rule: JsonObject, at: string, apiDomain: string): FieldError[] {
  const providers = objectsAt(rule, 'providers');
  return [
    ...unknownFields(at, rule, fieldsOf.rule),
    ...encryptedResourceErrors(stringsAt(rule, 'resources'), `${at}.resources`, `events.${apiDomain}`),
    ...(providers.length === 0
      ? [required(`${at}.providers`, `at least one ${at}.providers is required`)]
      : providers.flatMap((provider, index) => providerErrors(provider, `${at}.providers[${index}]`))),
  ];
}

function providerErrors(provider: JsonObject, at: string): FieldError[] {
  const unknown = unknownFields(at, provider, providerNames);
  const [kind, ...others] = kindsIn(provider);
  if (kind === undefined) {
    return [
      ...unknown,
      invalid(
        at,
        {},
        'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity',
      ),
    ];
  }
  if (others.length > 0) {
    const detail = 'more than one provider specified in a single element, should split into different list elements';
    return [...unknown, invalid(at, [kind, ...others], detail)];
  }
  const settings = objectAt(provider, kind);
  if (kind === 'identity') return [...unknown, ...unknownFields(`${at}.identity`, settings, [])];
  if (kind === 'kms') return [...unknown, ...pluginErrors(settings, `${at}.kms`)];
  return [...unknown, ...unknownFields(`${at}.${kind}`, settings, fieldsOf.keys), ...keysErrors(settings, kind, at)];
}

type ProviderKind = EncryptionProvider['kind'];

function kindsIn(provider: JsonObject): readonly ProviderKind[] {
  const isGiven = (name: string): boolean => getOwn(provider, name) !== undefined && getOwn(provider, name) !== null;
  return providerNames.filter((name): name is ProviderKind => isGiven(name));
}

function keysErrors(settings: JsonObject, kind: keyof typeof keyLengths, at: string): FieldError[] {
  const keys = objectsAt(settings, 'keys');
  const keysAt = `${at}.${kind}.keys`;
  if (keys.length === 0) return [required(keysAt, 'at least one keys is required')];
  return keys.flatMap((key, index) => [
    ...unknownFields(`${keysAt}[${index}]`, key, fieldsOf.key),
    ...keyErrors(key, `${keysAt}[${index}]`, keyLengths[kind]),
  ]);
}

function keyErrors(key: JsonObject, at: string, lengths: readonly number[]): FieldError[] {
  const secret = stringAt(key, 'secret');
  const nameless = stringAt(key, 'name') === '' ? [required(`${at}.name`, 'name is a mandatory field for a key')] : [];
  if (secret === '') return [...nameless, required(`${at}.secret`, 'secret is a mandatory field for a key')];
  const bytes = decodedSecret(secret);
  if (!bytes) return [...nameless, invalid(`${at}.secret`, 'REDACTED', 'secrets must be base64 encoded')];
  if (lengths.includes(bytes.length)) return nameless;
  const detail = `secret is not of the expected length, got ${bytes.length}, expected one of [${lengths.join(' ')}]`;
  return [...nameless, invalid(`${at}.secret`, 'REDACTED', detail)];
}

/** Decodes standard base64 with padding; undefined for invalid text. */
function decodedSecret(text: string): Buffer | undefined {
  const joined = text.replaceAll(/[\r\n]/g, '');
  const bytes = Buffer.from(joined, 'base64');
  return bytes.toString('base64') === joined ? bytes : undefined;
}

function pluginErrors(plugin: JsonObject, at: string): FieldError[] {
  const version = versionOf(plugin);
  const name = stringAt(plugin, 'name');
  const cacheSize = getOwn(plugin, 'cachesize');
  return [
    ...unknownFields(at, plugin, fieldsOf.kms),
    ...(name === '' ? [required(`${at}.name`, 'name is a mandatory field for a provider')] : []),
    ...(version !== 'v1' && name.includes(':')
      ? [invalid(`${at}.name`, name, `invalid KMS provider name ${name}, must not contain ':'`)]
      : []),
    ...(isTimeout(getOwn(plugin, 'timeout'))
      ? []
      : [invalid(`${at}.timeout`, getOwn(plugin, 'timeout'), 'timeout should be a positive value')]),
    ...endpointErrors(stringAt(plugin, 'endpoint'), `${at}.endpoint`),
    ...(version !== 'v1' && isSet(plugin, 'cachesize')
      ? [invalid(`${at}.cachesize`, cacheSize, 'cachesize is not supported in v2')]
      : []),
    ...(version === 'v1' && isSet(plugin, 'cachesize') && (!Number.isInteger(cacheSize) || cacheSize === 0)
      ? [invalid(`${at}.cachesize`, cacheSize, 'cachesize should be a positive value, or negative to disable')]
      : []),
    ...(version === 'v1' || version === 'v2'
      ? []
      : [
          invalid(
            `${at}.apiVersion`,
            version,
            'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported',
          ),
        ]),
  ];
}

function versionOf(plugin: JsonObject): string {
  return stringAt(plugin, 'apiVersion') || 'v1';
}

function isTimeout(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && (timeoutOf(value) ?? 0) > 0);
}

/** A duration in milliseconds; the default for an empty text, undefined if it is invalid. */
function timeoutOf(text: string): number | undefined {
  if (text === '') return defaultTimeoutMs;
  const nanoseconds = parseDuration(text);
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6;
}

function endpointErrors(endpoint: string, at: string): FieldError[] {
  if (endpoint === '') return [invalid(at, '', 'endpoint is a mandatory field for a kms')];
  const [scheme] = endpoint.split(':', 1);
  if (!endpoint.includes(':') || scheme !== 'unix') {
    const detail = `unsupported scheme ${JSON.stringify(endpoint.includes(':') ? scheme : '')} for KMS provider, only unix is supported`;
    return [invalid(at, endpoint, detail)];
  }
  return socketOf(endpoint) === '' ? [invalid(at, endpoint, 'the endpoint has no path')] : [];
}

/** The path in `unix:///path`. An abstract socket, `unix:///@name`, begins with NUL. */
function socketOf(endpoint: string): string {
  const path = endpoint.replace(/^unix:(?:\/\/)?/, '');
  return path.startsWith('/@') ? `\0${path.slice(2)}` : path;
}

/** The errors of plugins with the same name: they would decrypt each other's values. */
function repeatedPluginErrors(rules: readonly JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, rule] of rules.entries()) {
    for (const [place, provider] of objectsAt(rule, 'providers').entries()) {
      if (!isSet(provider, 'kms')) continue;
      const name = stringAt(objectAt(provider, 'kms'), 'name');
      if (seen.has(name)) errors.push(duplicate(`resources[${index}].providers[${place}].kms.name`, name));
      seen.add(name);
    }
  }
  return errors;
}

/** The rule of a valid entry. */
function ruleOf(rule: JsonObject): EncryptionRule {
  return { resources: stringsAt(rule, 'resources'), providers: objectsAt(rule, 'providers').map(providerOf) };
}

function providerOf(provider: JsonObject): EncryptionProvider {
  const [kind = 'identity'] = kindsIn(provider);
  if (kind === 'identity') return { kind };
  const settings = objectAt(provider, kind);
  if (kind !== 'kms') return { kind, keys: objectsAt(settings, 'keys').map(keyOf) };
  const cacheSize = getOwn(settings, 'cachesize');
  return {
    kind,
    version: versionOf(settings) === 'v1' ? 'v1' : 'v2',
    name: stringAt(settings, 'name'),
    socket: socketOf(stringAt(settings, 'endpoint')),
    timeoutMs: timeoutOf(stringAt(settings, 'timeout')) ?? defaultTimeoutMs,
    cacheSize: typeof cacheSize === 'number' ? Math.max(0, cacheSize) : defaultCacheSize,
  };
}

function keyOf(key: JsonObject): EncryptionKey {
  return { name: stringAt(key, 'name'), secret: decodedSecret(stringAt(key, 'secret')) ?? Buffer.alloc(0) };
}

/** Returns a function that reads an EncryptionConfiguration and rejects if the file is invalid. */
export function encryptionReader(
  file: string,
  options: Pick<ServerOptions, 'identifiers' | 'featureGates' | 'emulatedRelease' | 'emulationForwardCompatible'>,
): () => Promise<EncryptionConfiguration> {
  const { apiDomain } = identifiersOf(options.identifiers);
  return () =>
    named({ flag: '--encryption-provider-config', file }, async () => {
      const configuration = parseEncryptionConfiguration(await readFile(file, 'utf8'), apiDomain);
      const off = configuration.rules
        .flatMap(({ providers }) => providers)
        .map((provider) => (provider.kind === 'kms' ? disabledReason(provider, options) : undefined))
        .find((reason) => reason !== undefined);
      if (off !== undefined) throw new Error(off);
      return configuration;
    });
}

/** The feature gates of the plugin versions, and the message if the gate is off. */
const pluginGates = {
  v1: {
    gate: 'KMSv1',
    reason: () =>
      'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  ' +
      'Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.',
  },
  v2: {
    gate: 'KMSv2',
    reason: (name: string) => `could not configure KMSv2 plugin ${JSON.stringify(name)}, KMSv2 feature is not enabled`,
  },
} as const;

/**
 * The reason why a plugin version is disabled in a release; undefined if it is enabled. Releases
 * that do not know the gate have both versions.
 */
function disabledReason({ version, name }: KmsProvider, options: Parameters<typeof featuresOf>[0]): string | undefined {
  const { gate, reason } = pluginGates[version];
  const isKnown = featureGateState(gate, options.emulatedRelease) !== undefined;
  return !isKnown || featuresOf(options).isEnabled(gate) ? undefined : reason(name);
}
