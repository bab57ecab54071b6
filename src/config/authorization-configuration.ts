import { isAbsolute } from 'node:path';
import { reviewVersions } from '../authz/webhook/subject-access-review.ts';
import { parseDuration } from '../meta/duration.ts';
import { getOwn, type JsonObject } from '../meta/json-value.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../meta/read-field.ts';
import { validateDnsSubdomain } from '../meta/validate-name.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../status/field-error.ts';
import { contentHash } from './content-hash.ts';
import { type ConfigurationShape, parseConfiguration, shapeErrors } from './configuration-file.ts';
import { type Compile, expressionErrors, createExpressionLoader } from './expression-loader.ts';
import {
  authorizationModes,
  type ConfiguredMode,
  isPlainMode,
  webhookDefaults,
  type WebhookMode,
} from './flags/authorization-options.ts';
import { readFile } from 'node:fs/promises';
import { identifiersOf } from '../identifiers/identifiers.ts';
import type { ServerOptions } from './server-options.ts';
import { refuseErrors } from '../admission/check-configuration.ts';

/** The versions of AuthorizationConfiguration, which have the same fields. */
const versions = ['v1', 'v1beta1', 'v1alpha1'];

const string = 'string';

const shape: ConfigurationShape = {
  fields: {
    apiVersion: string,
    kind: string,
    authorizers: {
      list: {
        fields: {
          type: string,
          name: string,
          webhook: {
            fields: {
              authorizedTTL: string,
              cacheAuthorizedRequests: 'boolean',
              unauthorizedTTL: string,
              cacheUnauthorizedRequests: 'boolean',
              timeout: string,
              subjectAccessReviewVersion: string,
              matchConditionSubjectAccessReviewVersion: string,
              failurePolicy: string,
              connectionInfo: { fields: { type: string, kubeConfigFile: string } },
              matchConditions: { list: { fields: { expression: string } } },
            },
          },
        },
      },
    },
  },
};

const failurePolicies: Readonly<Record<string, WebhookMode['onFailure']>> = { NoOpinion: 'no-opinion', Deny: 'deny' };

const nanosPerMs = 1_000_000n;
const longestTimeoutMs = 30_000;

/**
 * Parses an AuthorizationConfiguration, in YAML or JSON. Throws an Error with all mistakes.
 * `group` is the full API group of the kind.
 */
function parseAuthorizationConfiguration(file: string, group: string, compile: Compile): readonly ConfiguredMode[] {
  const content = parseConfiguration(file, {
    kind: 'AuthorizationConfiguration',
    apiVersions: versions.map((version) => `${group}/${version}`),
  });
  refuseErrors(shapeErrors('', content, shape));
  const entries = objectsAt(content, 'authorizers');
  if (entries.length === 0) refuseErrors([required('authorizers', 'at least one authorization mode must be defined')]);
  refuseErrors(entries.flatMap((entry, index) => authorizerErrors(entry, index, { all: entries, compile })));
  const misnamed = entries.flatMap((entry) => expectedNameError(stringAt(entry, 'type'), stringAt(entry, 'name')));
  if (misnamed.length > 0) throw new Error(misnamed.join('; '));
  return entries.map(modeOf);
}

/** The error of an authorizer without webhook that is not named as its type, in lower case. */
function expectedNameError(type: string, name: string): string[] {
  const expected = type.toLowerCase();
  if (type === 'Webhook' || name === expected) return [];
  return [`expected name ${expected} for authorizer ${type} instead of ${name}`];
}

/** The other entries of the file, and the compiler of its expressions. */
interface FileContext {
  readonly all: readonly JsonObject[];
  readonly compile: Compile;
}

function authorizerErrors(entry: JsonObject, index: number, { all, compile }: FileContext): FieldError[] {
  const at = `authorizers[${index}]`;
  const type = stringAt(entry, 'type');
  if (type === '') return [required(`${at}.type`)];
  if (!authorizationModes.some((mode) => mode === type)) return [notSupported(`${at}.type`, type, authorizationModes)];
  const isRepeated = (field: string): boolean =>
    all.slice(0, index).some((other) => stringAt(other, field) === stringAt(entry, field));
  if (type !== 'Webhook' && isRepeated('type')) return [duplicate(`${at}.type`, type)];
  return [
    ...nameErrors(`${at}.name`, stringAt(entry, 'name'), isRepeated('name')),
    ...(type === 'Webhook' ? webhookErrors(at, entry, compile) : []),
    ...(type !== 'Webhook' && isSet(entry, 'webhook')
      ? [invalid(`${at}.webhook`, 'non-null', 'may only be specified when type=Webhook')]
      : []),
  ];
}

function nameErrors(at: string, name: string, isRepeated: boolean): FieldError[] {
  if (name === '') return [required(at)];
  if (isRepeated) return [duplicate(at, name)];
  const wrong = validateDnsSubdomain(name);
  return wrong.length === 0 ? [] : [invalid(at, name, `authorizer name is invalid: ${wrong.join(', ')}`)];
}

function webhookErrors(entryAt: string, entry: JsonObject, compile: Compile): FieldError[] {
  const at = `${entryAt}.webhook`;
  if (!isSet(entry, 'webhook')) return [required(at, 'required when type=Webhook')];
  const webhook = objectAt(entry, 'webhook');
  return [
    ...timeoutErrors(`${at}.timeout`, webhook),
    ...['authorizedTTL', 'unauthorizedTTL'].flatMap((name) => ttlErrors(`${at}.${name}`, webhook, name)),
    ...wordErrors(`${at}.subjectAccessReviewVersion`, stringAt(webhook, 'subjectAccessReviewVersion'), reviewVersions),
    ...wordErrors(`${at}.failurePolicy`, stringAt(webhook, 'failurePolicy'), Object.keys(failurePolicies)),
    ...connectionErrors(`${at}.connectionInfo`, objectAt(webhook, 'connectionInfo')),
    ...conditionErrors(at, webhook, compile),
  ];
}

/** The maximum of kube-apiserver. */
const mostConditions = 64;

const isCondition = (resultType: string): string => `must evaluate to bool but got ${resultType}`;

function conditionErrors(webhookAt: string, webhook: JsonObject, compile: Compile): FieldError[] {
  const conditions = objectsAt(webhook, 'matchConditions');
  const version = stringAt(webhook, 'matchConditionSubjectAccessReviewVersion');
  const versionAt = `${webhookAt}.matchConditionSubjectAccessReviewVersion`;
  const at = `${webhookAt}.matchConditions`;
  const texts = conditions.map((condition) => stringAt(condition, 'expression'));
  return [
    ...(version === '' && conditions.length > 0
      ? [required(versionAt, 'required if match conditions are specified')]
      : []),
    ...(version === '' || version === 'v1' ? [] : [notSupported(versionAt, version, ['v1'])]),
    ...(conditions.length > mostConditions ? [tooMany(at, conditions.length, mostConditions)] : []),
    ...conditions.flatMap((condition, index) => {
      const text = texts[index] ?? '';
      return [
        ...(text.trim() === '' ? [required(`${at}[${index}].expression`)] : []),
        ...(text !== '' && texts.indexOf(text) < index ? [duplicate(`${at}[${index}].expression`, text)] : []),
        ...expressionErrors(condition, { at: `${at}[${index}]`, isCondition }, (one) => compile(one, ['request'])),
      ];
    }),
  ];
}

function timeoutErrors(at: string, webhook: JsonObject): FieldError[] {
  const timeoutMs = durationAt(webhook, 'timeout', 0);
  if (timeoutMs === 0) return [required(at)];
  if (timeoutMs > 0 && timeoutMs <= longestTimeoutMs) return [];
  return [invalid(at, getOwn(webhook, 'timeout'), 'must be > 0s and <= 30s')];
}

function ttlErrors(at: string, webhook: JsonObject, name: string): FieldError[] {
  return durationAt(webhook, name, 0) >= 0 ? [] : [invalid(at, getOwn(webhook, name), 'must be > 0s')];
}

function wordErrors(at: string, word: string, words: readonly string[]): FieldError[] {
  if (word === '') return [required(at)];
  return words.includes(word) ? [] : [notSupported(at, word, words)];
}

function connectionErrors(at: string, connection: JsonObject): FieldError[] {
  const type = stringAt(connection, 'type');
  const file = stringAt(connection, 'kubeConfigFile');
  if (type === 'InClusterConfig' && file !== '') {
    return [invalid(`${at}.kubeConfigFile`, file, 'can only be set when type=KubeConfigFile')];
  }
  if (type === 'InClusterConfig') return [forbidden(`${at}.type`, 'an API server has no in-cluster config')];
  return [
    ...wordErrors(`${at}.type`, type, ['InClusterConfig', 'KubeConfigFile']),
    ...(type === 'KubeConfigFile' && file === '' ? [required(`${at}.kubeConfigFile`)] : []),
    ...(file !== '' && !isAbsolute(file) ? [invalid(`${at}.kubeConfigFile`, file, 'must be an absolute path')] : []),
  ];
}

/** A duration in milliseconds; NaN if it is not one. */
function durationAt(object: JsonObject, name: string, missing: number): number {
  if (!isSet(object, name)) return missing;
  const nanos = parseDuration(stringAt(object, name));
  return nanos === undefined ? Number.NaN : Number(nanos / nanosPerMs);
}

/** The mode in a valid entry. */
function modeOf(entry: JsonObject): ConfiguredMode {
  const type = stringAt(entry, 'type');
  if (isPlainMode(type)) return type;
  const webhook = objectAt(entry, 'webhook');
  const isCached = (name: string): boolean => getOwn(webhook, name) !== false;
  const conditions = objectsAt(webhook, 'matchConditions').map((condition) => stringAt(condition, 'expression'));
  return {
    type: 'Webhook',
    name: stringAt(entry, 'name'),
    clientConfigFile: stringAt(objectAt(webhook, 'connectionInfo'), 'kubeConfigFile'),
    version: stringAt(webhook, 'subjectAccessReviewVersion') === 'v1' ? 'v1' : 'v1beta1',
    authorizedTtlMs: isCached('cacheAuthorizedRequests')
      ? durationAt(webhook, 'authorizedTTL', 0) || webhookDefaults.authorizedTtlMs
      : 0,
    unauthorizedTtlMs: isCached('cacheUnauthorizedRequests')
      ? durationAt(webhook, 'unauthorizedTTL', 0) || webhookDefaults.unauthorizedTtlMs
      : 0,
    timeoutMs: durationAt(webhook, 'timeout', 0),
    onFailure: failurePolicies[stringAt(webhook, 'failurePolicy')] ?? 'deny',
    ...(conditions.length > 0 ? { matchConditions: conditions } : {}),
  };
}

/**
 * Replaces the authorization modes of the options with the modes of `authorizationConfigFile`, if
 * it is set. Rejects if the file is invalid.
 */
export async function resolveAuthorization(options: ServerOptions): Promise<ServerOptions> {
  const { authorizationConfigFile: file } = options;
  return file === undefined
    ? options
    : { ...options, authorizationMode: (await readAuthorizationConfiguration(file, options)).modes };
}

/** The content of an AuthorizationConfiguration. */
export interface AuthorizationConfiguration {
  readonly modes: readonly ConfiguredMode[];
  /** The hash of the file. */
  readonly hash: string;
}

/** Reads the file `authorizationConfigFile`. Rejects if it is invalid. */
export async function readAuthorizationConfiguration(
  file: string,
  { identifiers }: Pick<ServerOptions, 'identifiers'>,
): Promise<AuthorizationConfiguration> {
  try {
    const group = `apiserver.config.${identifiersOf(identifiers).apiDomain}`;
    const content = await readFile(file, 'utf8');
    const modes = parseAuthorizationConfiguration(content, group, await createExpressionLoader()(content));
    return { modes, hash: contentHash(content) };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`--authorization-config ${file}: ${problem}`, { cause });
  }
}
