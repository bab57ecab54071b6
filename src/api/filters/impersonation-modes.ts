import type { AuthorizationAttributes } from '../../authz/authorizer.ts';
import type { RequestedUser } from '../../http-protocol/messages/impersonation-headers.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { nodeOfUsername, serviceAccountName, type UserInfo } from '../../meta/user-info.ts';

/** A kind of user with impersonation rights of its own (constrained impersonation). */
export interface ImpersonationMode {
  readonly name: 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info';
  /** True if the mode covers this user and this caller. */
  readonly appliesTo: (requested: RequestedUser, caller: UserInfo) => boolean;
  /** Returns the caller for the authorizers; absent: the caller is unchanged. */
  readonly callerOf?: (caller: UserInfo) => UserInfo;
  /** The name of a node for the authorizers; absent: its real name. */
  readonly nodeName?: string;
}

/** The modes, in the order in which they are tried. */
export function impersonationModes({ labelDomain }: Identifiers): readonly ImpersonationMode[] {
  const nodeNameKey = `authentication.${labelDomain}/node-name`;
  const nodeKeys = `authentication.${labelDomain}/associated-node-keys`;
  return [
    {
      name: 'associated-node',
      appliesTo: (requested, caller) => {
        const node = onlyNode(requested);
        const [own, ...more] = caller.extra[nodeNameKey] ?? [];
        return node !== undefined && own === node && more.length === 0 && isAccount(caller.username);
      },
      // The right covers whatever node the caller runs on, so that authorizers do not see its name.
      callerOf: (caller) => ({ ...caller, extra: { [nodeKeys]: Object.keys(caller.extra).toSorted() } }),
      nodeName: '*',
    },
    { name: 'arbitrary-node', appliesTo: (requested) => onlyNode(requested) !== undefined },
    { name: 'serviceaccount', appliesTo: (requested) => isNameAlone(requested) && isAccount(requested.username) },
    {
      name: 'user-info',
      appliesTo: ({ username }) => nodeOfUsername(username) === undefined && !isAccount(username),
    },
  ];
}

function isAccount(username: string): boolean {
  return serviceAccountName(username) !== undefined;
}

/**
 * The requested node; undefined if the user is not a node, or if more than its name is requested.
 */
function onlyNode(requested: RequestedUser): string | undefined {
  return isNameAlone(requested) ? nodeOfUsername(requested.username) : undefined;
}

function isNameAlone({ uid, groups, extra }: RequestedUser): boolean {
  return uid === '' && groups.length === 0 && extra.size === 0;
}

/** A part of the requested user, as a resource that the caller must be allowed to impersonate. */
export type UserPart = Omit<AuthorizationAttributes, 'user'>;

/** A right that is needed. `sufficient` is a broader right that can replace it. */
interface NeededPart {
  readonly part: UserPart;
  readonly sufficient?: UserPart;
}

/** From this number of parts of one kind on, the right to all of them is checked first. */
const many = 4;

/**
 * The rights that impersonating a user in a mode requires, in order. `group` is the full name of
 * the group authentication.
 */
export function constrainedParts(
  { username, uid, groups, extra }: RequestedUser,
  { name: mode, nodeName }: ImpersonationMode,
  group: string,
): readonly NeededPart[] {
  const part = (resource: string, name: string, more: Partial<UserPart> = {}): UserPart => ({
    verb: `impersonate:${mode}`,
    resourceRequest: true,
    apiGroup: group,
    apiVersion: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name,
    path: '',
    ...more,
  });
  const account = serviceAccountName(username);
  const node = nodeOfUsername(username);
  const user = account
    ? part('serviceaccounts', account.name, { namespace: account.namespace })
    : node === undefined
      ? part('users', username)
      : part('nodes', nodeName ?? node);
  const extras = [...extra].flatMap(([subresource, values]) =>
    values.map((value) => part('userextras', value, { subresource })),
  );
  return [
    { part: user },
    ...(uid === '' ? [] : [{ part: part('uids', uid) }]),
    ...withSufficient(
      groups.map((name) => part('groups', name)),
      part('groups', '*'),
    ),
    ...withSufficient(extras, part('userextras', '*', { subresource: '*' })),
  ];
}

function withSufficient(parts: readonly UserPart[], sufficient: UserPart): readonly NeededPart[] {
  return parts.map((part) => (parts.length >= many ? { part, sufficient } : { part }));
}
