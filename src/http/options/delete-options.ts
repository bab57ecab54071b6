import { type JsonObject, type JsonValue, isJsonObject } from '../../meta/json-value.ts';
import type { DeleteOptions } from '../../registry/registry.ts';
import { type FieldError, invalid, notSupported } from '../../status/field-error.ts';
import { badRequest } from '../../status/status-error.ts';
import { booleanOf, integerOf, refuseOptions, textOf } from './parameters.ts';
import { checkDryRun, dryRunOf } from './write-options.ts';
import type { Query } from '../request/query.ts';

/** The options as they were sent, before validation. */
interface RawDeleteOptions {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

type PropagationPolicy = NonNullable<DeleteOptions['propagationPolicy']>;

const policies: readonly PropagationPolicy[] = ['Foreground', 'Background', 'Orphan'];

/**
 * Parses and validates the options of a delete. A body replaces all query parameters, as in
 * kube-apiserver; `body` is undefined if there is none. Throws 400 for wrong types, 422 for wrong
 * values.
 */
export function parseDeleteOptions(query: Query, body: JsonObject | undefined, apiDomain: string): DeleteOptions {
  const raw = body ? fromBody(body) : fromQuery(query);
  refuseOptions(apiDomain, 'DeleteOptions', [...checkPolicy(raw), ...checkDryRun(raw.dryRun)]);
  const policy = policies.find((known) => known === raw.propagationPolicy);
  return {
    dryRun: raw.dryRun.length > 0,
    ...(raw.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: raw.gracePeriodSeconds }),
    ...(policy ? { propagationPolicy: policy } : {}),
    ...(raw.orphanDependents === undefined ? {} : { orphanDependents: raw.orphanDependents }),
    ...(raw.preconditions ? { preconditions: raw.preconditions } : {}),
  };
}

function checkPolicy({ propagationPolicy, orphanDependents }: RawDeleteOptions): FieldError[] {
  if (propagationPolicy === undefined) return [];
  const both = 'orphanDependents and deletionPropagation cannot be both set';
  return [
    ...(orphanDependents === undefined ? [] : [invalid('propagationPolicy', propagationPolicy, both)]),
    ...(policies.some((known) => known === propagationPolicy)
      ? []
      : [notSupported('propagationPolicy', propagationPolicy, [...policies, 'nil'])]),
  ];
}

function fromQuery(query: Query): RawDeleteOptions {
  const gracePeriodSeconds = integerOf(query, 'gracePeriodSeconds');
  const orphanDependents = booleanOf(query, 'orphanDependents');
  const propagationPolicy = query.get('propagationPolicy');
  const [uid, resourceVersion] = [textOf(query, 'uid'), textOf(query, 'resourceVersion')];
  const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
  return {
    dryRun: dryRunOf(query),
    ...(uid || resourceVersion ? { preconditions } : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === null ? {} : { propagationPolicy }),
  };
}

function fromBody(body: JsonObject): RawDeleteOptions {
  const gracePeriodSeconds = field(body, 'gracePeriodSeconds', isInteger, 'an integer');
  const propagationPolicy = field(body, 'propagationPolicy', isString, 'a string');
  const orphanDependents = field(body, 'orphanDependents', isBoolean, 'a boolean');
  const preconditions = field(body, 'preconditions', isJsonObject, 'an object');
  return {
    dryRun: field(body, 'dryRun', isStringList, 'a list of strings') ?? [],
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: Number(gracePeriodSeconds) }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(preconditions ? { preconditions: preconditionsOf(preconditions) } : {}),
  };
}

function preconditionsOf(value: JsonObject): NonNullable<RawDeleteOptions['preconditions']> {
  const uid = field(value, 'uid', isString, 'a string');
  const resourceVersion = field(value, 'resourceVersion', isString, 'a string');
  return { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}

/**
 * Returns an optional field; null counts as absent, as everywhere in the API. Throws 400 for
 * another type.
 */
function field<T extends JsonValue>(
  object: JsonObject,
  name: string,
  is: (value: JsonValue) => value is T,
  expected: string,
): T | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (is(value)) return value;
  throw badRequest(`DeleteOptions: field ${name} must be ${expected}`);
}

const isString = (value: JsonValue): value is string => typeof value === 'string';
const isBoolean = (value: JsonValue): value is boolean => typeof value === 'boolean';
const isInteger = (value: JsonValue): value is number | bigint =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
const isStringList = (value: JsonValue): value is string[] => Array.isArray(value) && value.every(isString);
