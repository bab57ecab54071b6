import { type JsonObject, type JsonValue, isJsonObject } from '../../meta/json-value.ts';
import type { DeleteOptions } from '../../registry/definition/registry.ts';
import { type FieldError, invalid, notSupported } from '../../status/field-error.ts';
import { badRequest } from '../../status/status-error.ts';
import { booleanOf, integerOf, refuseOptions, textOf } from './option-values.ts';
import { checkDryRun, dryRunOf } from './write-options.ts';
import type { Query } from '../../http-protocol/requests/query.ts';

/** The options as they were sent, before validation. */
interface RawDeleteOptions {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The option that deletes objects that cannot be read (kube-apiserver 1.32). */
const unsafeOption = 'ignoreStoreReadErrorWithClusterBreakingPotential';

type PropagationPolicy = NonNullable<DeleteOptions['propagationPolicy']>;

const policies: readonly PropagationPolicy[] = ['Foreground', 'Background', 'Orphan'];

/**
 * Parses and validates the options of the delete of an object, from the query and the body;
 * `body` is undefined if there is none. Throws 400 for wrong types and for contradictions between
 * the two, 422 for wrong values.
 */
export function parseDeleteOptions(query: Query, body: JsonObject | undefined, apiDomain: string): DeleteOptions {
  return validated(combined(fromQuery(query, ['uid', 'resourceVersion']), body), apiDomain);
}

/**
 * Parses the options of the delete of a collection as `parseDeleteOptions` does. The parameter
 * `resourceVersion` applies to the list here and is no precondition; the `resourceVersion` of a
 * body is a precondition of each object.
 */
export function parseCollectionDeleteOptions(
  query: Query,
  body: JsonObject | undefined,
  apiDomain: string,
): DeleteOptions {
  const options = validated(combined(fromQuery(query, ['uid']), body), apiDomain);
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential) {
    const text = 'is not allowed with DELETECOLLECTION, try again after removing the option';
    refuseOptions(apiDomain, 'DeleteOptions', [invalid(unsafeOption, true, text)]);
  }
  return options;
}

function validated(raw: RawDeleteOptions, apiDomain: string): DeleteOptions {
  refuseOptions(apiDomain, 'DeleteOptions', [...checkPolicy(raw), ...checkDryRun(raw.dryRun), ...checkUnsafe(raw)]);
  const { dryRun, propagationPolicy: _, ...rest } = raw;
  const policy = policies.find((known) => known === raw.propagationPolicy);
  return { dryRun: dryRun.length > 0, ...rest, ...(policy ? { propagationPolicy: policy } : {}) };
}

/** The options of a query and a body. Each option counts, wherever it was sent. */
function combined(query: RawDeleteOptions, body: JsonObject | undefined): RawDeleteOptions {
  if (!body) return query;
  const sent = fromBody(body);
  refuseContradictions('', query, sent);
  refuseContradictions('preconditions.', query.preconditions ?? {}, sent.preconditions ?? {});
  const preconditions = { ...query.preconditions, ...sent.preconditions };
  return {
    ...query,
    ...sent,
    dryRun: [...query.dryRun, ...sent.dryRun],
    ...(query.preconditions || sent.preconditions ? { preconditions } : {}),
  };
}

/** Throws 400 for a scalar option that has two values. */
function refuseContradictions(prefix: string, query: object, body: object): void {
  const values = new Map<string, unknown>(Object.entries(body));
  for (const [name, value] of Object.entries(query)) {
    const other = values.get(name);
    if (other === undefined || typeof other === 'object' || other === value) continue;
    throw badRequest(`DeleteOptions: the query and the body have different values of ${prefix}${name}`);
  }
}

/** Refuses other options beside the unsafe one: they cannot apply to an object that is not read. */
function checkUnsafe(raw: RawDeleteOptions): FieldError[] {
  if (!raw.ignoreStoreReadErrorWithClusterBreakingPotential) return [];
  const others = {
    dryRun: raw.dryRun.length > 0 ? raw.dryRun : undefined,
    propagationPolicy: raw.propagationPolicy,
    orphanDependents: raw.orphanDependents,
    gracePeriodSeconds: raw.gracePeriodSeconds,
    preconditions: raw.preconditions,
  };
  return Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => invalid(unsafeOption, true, `cannot be set together with .${name}`));
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

type PreconditionName = keyof NonNullable<RawDeleteOptions['preconditions']>;

function fromQuery(query: Query, names: readonly PreconditionName[]): RawDeleteOptions {
  const gracePeriodSeconds = integerOf(query, 'gracePeriodSeconds');
  const orphanDependents = booleanOf(query, 'orphanDependents');
  const unsafe = booleanOf(query, unsafeOption);
  const propagationPolicy = query.get('propagationPolicy');
  const sent = names.map((name) => [name, textOf(query, name)] as const).filter(([, value]) => value !== '');
  return {
    dryRun: dryRunOf(query),
    ...(sent.length > 0 ? { preconditions: Object.fromEntries(sent) } : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(unsafe === undefined ? {} : { [unsafeOption]: unsafe }),
    ...(propagationPolicy === null ? {} : { propagationPolicy }),
  };
}

function fromBody(body: JsonObject): RawDeleteOptions {
  const gracePeriodSeconds = field(body, 'gracePeriodSeconds', isInteger, 'an integer');
  const propagationPolicy = field(body, 'propagationPolicy', isString, 'a string');
  const orphanDependents = field(body, 'orphanDependents', isBoolean, 'a boolean');
  const unsafe = field(body, unsafeOption, isBoolean, 'a boolean');
  const preconditions = field(body, 'preconditions', isJsonObject, 'an object');
  return {
    dryRun: field(body, 'dryRun', isStringList, 'a list of strings') ?? [],
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: Number(gracePeriodSeconds) }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(unsafe === undefined ? {} : { [unsafeOption]: unsafe }),
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
