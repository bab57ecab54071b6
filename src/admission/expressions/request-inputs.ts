import type { MaybePromise } from '../../async/maybe-promise.ts';
import { type AuthorizationCheck, AuthorizerValue } from '../../cel/values/authorizer-value.ts';
import { CelMap, type CelValue } from '../../cel/values/cel-value.ts';
import { fromJsonWithInts } from '../../cel/values/from-json.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import type { AdmissionAttributes, AdmittedVersion } from '../admission.ts';
import { namespaceOfRequest } from '../matching/namespace-of-request.ts';
import type { AuthorizerInputs } from './activation.ts';

/** The metadata fields of a namespace that expressions see. */
const namespaceMetadata: ReadonlySet<string> = new Set([
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
]);

/** The value of `namespaceObject`. */
export function namespaceValue({ metadata, spec = {}, status = {} }: JsonObject): CelValue {
  const entries = Object.entries((metadata ?? {}) as JsonObject).filter(([name]) => namespaceMetadata.has(name));
  return fromJsonWithInts({ metadata: Object.fromEntries(entries), spec, status });
}

/**
 * The value of `request` for a policy that sees the objects in a version. Its fields are computed
 * when they are read.
 */
export function requestValue(attributes: AdmissionAttributes, shown: AdmittedVersion): CelMap {
  const partOf = (name: CelValue): CelValue | undefined => {
    const part = typeof name === 'string' ? requestParts.get(name)?.(attributes, shown) : undefined;
    return part === undefined || part instanceof CelMap ? part : fromJsonWithInts(part);
  };
  return new CelMap({ get: partOf, keys: () => [...requestParts.keys()].filter((key) => partOf(key) !== undefined) });
}

/** Computes a field of `request`; undefined if the request does not have it. */
type RequestPart = (attributes: AdmissionAttributes, shown: AdmittedVersion) => JsonValue | CelMap | undefined;

/** The fields of `request`, in order. */
const requestParts: ReadonlyMap<string, RequestPart> = new Map<string, RequestPart>([
  ['uid', () => ''],
  ['kind', (_, shown) => ({ ...shown.kind })],
  ['resource', (_, shown) => ({ ...shown.resource })],
  ['subResource', ({ subresource }) => unlessEmpty(subresource)],
  ['requestKind', ({ kind }) => ({ ...kind })],
  ['requestResource', ({ resource }) => ({ ...resource })],
  ['requestSubResource', ({ subresource }) => unlessEmpty(subresource)],
  ['name', ({ name }) => unlessEmpty(name)],
  ['namespace', (attributes) => unlessEmpty(namespaceOfRequest(attributes))],
  ['operation', ({ operation }) => operation],
  ['userInfo', ({ user }) => userValue(user)],
  ['object', () => null],
  ['oldObject', () => null],
  ['dryRun', ({ dryRun }) => dryRun],
  ['options', (attributes) => (attributes.operation === 'CONNECT' ? null : attributes.options())],
]);

function unlessEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function userValue(user: UserInfo): CelMap {
  const partOf = (name: CelValue): CelValue | undefined => {
    const part = typeof name === 'string' ? userParts.get(name)?.(user) : undefined;
    return part === undefined ? undefined : fromJsonWithInts(part);
  };
  return new CelMap({ get: partOf, keys: () => [...userParts.keys()].filter((key) => partOf(key) !== undefined) });
}

/** The fields of a user that are set. */
const userParts: ReadonlyMap<string, (user: UserInfo) => JsonValue | undefined> = new Map<
  string,
  (user: UserInfo) => JsonValue | undefined
>([
  ['username', ({ username }) => unlessEmpty(username)],
  ['uid', ({ uid }) => unlessEmpty(uid)],
  ['groups', ({ groups }) => (groups.length > 0 ? [...groups] : undefined)],
  ['extra', ({ extra }) => extraOf(extra)],
]);

function extraOf(extra: UserInfo['extra']): JsonObject | undefined {
  const entries = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Decides an authorizer check of an expression as it would decide the user's own request. */
export type DecideCheck = (
  user: UserInfo,
  check: AuthorizationCheck,
) => MaybePromise<{ readonly allowed: boolean; readonly reason: string; readonly error: string }>;

/** The values of `authorizer` and `authorizer.requestResource`. Each check is decided only once. */
export function authorizerInputs(attributes: AdmissionAttributes, decide: DecideCheck): AuthorizerInputs {
  const { user, resource, subresource, name } = attributes;
  const authorizer = new AuthorizerValue((check) => decide(userOf(check, user), check));
  const requestResource = authorizer.with('ResourceCheck', {
    group: resource.group,
    resource: resource.resource,
    subresource,
    namespace: namespaceOfRequest(attributes),
    name,
  });
  return { authorizer, requestResource };
}

function userOf({ serviceAccount }: AuthorizationCheck, user: UserInfo): UserInfo {
  if (!serviceAccount) return user;
  const { namespace, name } = serviceAccount;
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid: '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra: {},
  };
}
