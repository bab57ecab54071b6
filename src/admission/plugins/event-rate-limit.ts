import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { TokenBucket, type TokenRate } from '../../async/token-bucket.ts';
import type { Event } from '../../gen/stored/core-v1.ts';
import { getOwn, isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { numberAt, stringAt } from '../../meta/read-field.ts';
import { type FieldError, invalid, notSupported, required } from '../../status/field-error.ts';
import { StatusError } from '../../status/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { checkKind, configuredObject, refuseErrors } from '../check-configuration.ts';

/** The requests that share a bucket, by the type of their limit. */
const keysOf: Readonly<Record<string, (attributes: AdmissionAttributes, event: Event) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.username,
  SourceAndObject: (_, { source: { component, host }, involvedObject }) => {
    const { kind, namespace, name, uid, apiVersion } = involvedObject;
    return [component, host, kind, namespace, name, uid, apiVersion].join('');
  },
};

/** A limit of the configuration. */
interface EventLimit extends TokenRate {
  readonly type: string;
  /** How many buckets are kept, the most recently used ones. */
  readonly cacheSize: number;
}

const defaultCacheSize = 4096;

/**
 * Limits the rate of writes of Events (spec 2.6), each server for itself. An Event takes a token
 * of every limit, also if another one refuses it. Throws `RangeError` for an invalid configuration.
 */
export function eventRateLimit(
  { identifiers: { apiDomain } }: PluginContext,
  configuration: JsonObject | undefined,
): AdmissionPlugin {
  const enforcers = limitsIn(configuration ?? {}, apiDomain).map(enforcerOf);
  return {
    name: 'EventRateLimit',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      const { object, storedResource, dryRun } = attributes;
      const isEvent = storedResource.group === '' && storedResource.resource === 'events';
      if (!object || !isEvent || dryRun) return;
      const problems = enforcers
        .map((enforce) => enforce(attributes, object as Event))
        .filter((problem) => problem !== '');
      if (problems.length === 0) return;
      const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
      throw new StatusError('TooManyRequests', `Too many requests: ${text}`);
    },
  };
}

/** Returns a function that takes a token; it returns the error message, '' if there was one. */
function enforcerOf({
  type,
  cacheSize,
  ...rate
}: EventLimit): (attributes: AdmissionAttributes, event: Event) => string {
  const buckets = new LRUCache<string, TokenBucket>({ max: cacheSize });
  return (attributes, event) => {
    const key = keysOf[type]?.(attributes, event) ?? '';
    const nowMs = performance.now();
    const bucket = buckets.get(key) ?? new TokenBucket(rate, nowMs);
    buckets.set(key, bucket);
    return bucket.tryTake(nowMs) ? '' : `limit reached on type ${type} for key ${key}`;
  };
}

function limitsIn(given: JsonObject, apiDomain: string): readonly EventLimit[] {
  const errors: FieldError[] = [];
  if (Object.keys(given).length > 0) {
    checkKind(given, { kind: 'Configuration', group: `eventratelimit.admission.${apiDomain}`, versions: ['v1alpha1'] });
  }
  const list = getOwn(configuredObject(given, '', ['apiVersion', 'kind', 'limits'], errors), 'limits') ?? [];
  if (!Array.isArray(list) || list.length === 0) {
    errors.push(required('limits', 'a list of limits'));
    refuseErrors(errors);
    return [];
  }
  const limits = list.map((item, index) => limitIn(isJsonObject(item) ? item : {}, `limits[${index}]`, errors));
  refuseErrors(errors);
  return limits;
}

function limitIn(item: JsonObject, at: string, errors: FieldError[]): EventLimit {
  configuredObject({ [at]: item }, at, ['type', 'qps', 'burst', 'cacheSize'], errors);
  const type = stringAt(item, 'type');
  const isKnown = Object.hasOwn(keysOf, type);
  if (!isKnown) errors.push(notSupported(`${at}.type`, type, Object.keys(keysOf)));
  const positive = (field: string): number => {
    const value = numberAt(item, field) ?? 0;
    if (!Number.isSafeInteger(value) || value <= 0) errors.push(invalid(`${at}.${field}`, value, 'must be positive'));
    return value;
  };
  const [burst, perSecond] = [positive('burst'), positive('qps')];
  const cacheSize = numberAt(item, 'cacheSize') || defaultCacheSize;
  if (!Number.isSafeInteger(cacheSize) || cacheSize < 0) {
    errors.push(invalid(`${at}.cacheSize`, cacheSize, 'must not be negative'));
  }
  return { type, perSecond, burst, cacheSize };
}
