import type { MaybePromise } from '../../async/maybe-promise.ts';
import { type AuthorizationCheck, AuthorizerValue } from '../../cel/values/authorizer-value.ts';
import { CelMap, type CelValue } from '../../cel/values/cel-value.ts';
import { fromJsonWithInts } from '../../cel/values/json.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { once } from '../../meta/memoize.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import type { AdmissionAttributes, AdmittedVersion } from '../admission.ts';
import { namespaceOfRequest } from '../matching/request-labels.ts';
import type { ExpressionInputs } from './activation.ts';

/** The parts of the metadata of a namespace that expressions see. */
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

/** The value of `request` for a policy that sees the objects in a version; made when it is read. */
export function requestValue(attributes: AdmissionAttributes, shown: AdmittedVersion): CelMap {
  const made = once(() => requestMap(attributes, shown));
  return new CelMap({
    get: (key) => made().get(key),
    keys: () => requestKeys.filter((key) => made().get(key) !== undefined),
  });
}

function requestMap(attributes: AdmissionAttributes, shown: AdmittedVersion): CelMap {
  const { operation, subresource, kind, resource, name, dryRun } = attributes;
  const namespace = namespaceOfRequest(attributes);
  const sub = subresource === '' ? undefined : subresource;
  return fromJsonWithInts({
    uid: '',
    kind: { ...shown.kind },
    resource: { ...shown.resource },
    ...(sub === undefined ? {} : { subResource: sub }),
    requestKind: { ...kind },
    requestResource: { ...resource },
    ...(sub === undefined ? {} : { requestSubResource: sub }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userValue(attributes.user),
    object: null,
    oldObject: null,
    dryRun,
    options: operation === 'CONNECT' ? null : attributes.options(),
  }) as CelMap;
}

/** The fields of a request. */
const requestKeys: readonly string[] = [
  'uid',
  'kind',
  'resource',
  'subResource',
  'requestKind',
  'requestResource',
  'requestSubResource',
  'name',
  'namespace',
  'operation',
  'userInfo',
  'object',
  'oldObject',
  'dryRun',
  'options',
];

function userValue({ username, uid, groups, extra }: UserInfo): JsonObject {
  const extras = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length > 0 ? { groups: [...groups] } : {}),
    ...(extras.length > 0 ? { extra: Object.fromEntries(extras) } : {}),
  };
}

/** Decides a check of an expression for a user as the user's own requests are decided. */
export type DecideCheck = (
  user: UserInfo,
  check: AuthorizationCheck,
) => MaybePromise<{ readonly allowed: boolean; readonly reason: string; readonly error: string }>;

/** The values of `authorizer` and `authorizer.requestResource`. Each check is decided once. */
export function authorizerInputs(
  attributes: AdmissionAttributes,
  decide: DecideCheck,
): Required<Pick<ExpressionInputs, 'authorizer' | 'requestResource'>> {
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
