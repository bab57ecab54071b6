import { validateDnsLabel, validateDnsSubdomain } from './validate-name.ts';

/** A service account as the name of a user has it (spec 5.2). */
interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

const usernameForm = /^system:serviceaccount:([^:]*):([^:]*)$/;

/** The service account of a user name; undefined for other users. */
export function serviceAccountName(username: string): ServiceAccountName | undefined {
  const [, namespace = '', name = ''] = usernameForm.exec(username) ?? [];
  const problems = [...validateDnsLabel(namespace), ...validateDnsSubdomain(name)];
  return problems.length === 0 ? { namespace, name } : undefined;
}

/** The groups of all service accounts in a namespace. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** The prefix of the user names of node agents, before the name of the node. */
export const nodeUserPrefix = 'system:node:';
const nodesGroup = 'system:nodes';

/** The node of a node agent's user; undefined for other users, '' if the node is not named. */
export function nodeNameOf({ username, groups }: UserInfo): string | undefined {
  return username.startsWith(nodeUserPrefix) && groups.includes(nodesGroup)
    ? username.slice(nodeUserPrefix.length)
    : undefined;
}

/** The node of a user name; undefined for users that are no nodes. Groups are not considered. */
export function nodeOfUsername(username: string): string | undefined {
  if (!username.startsWith(nodeUserPrefix)) return undefined;
  const name = username.slice(nodeUserPrefix.length);
  return validateDnsSubdomain(name).length === 0 ? name : undefined;
}

/** The groups of all nodes. */
export const nodeGroups: readonly string[] = [nodesGroup];

/** The user of a request (spec 5.1). */
export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The user of requests without credentials, if anonymous requests are allowed (spec 5.6). */
export const anonymous: UserInfo = Object.freeze({
  username: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
});

/**
 * The server itself, as the user of its own writes. Compared by identity: a client of the same name
 * is another user.
 */
export const serverUser: UserInfo = Object.freeze({
  username: 'system:apiserver',
  uid: '',
  groups: ['system:masters'],
  extra: {},
});
