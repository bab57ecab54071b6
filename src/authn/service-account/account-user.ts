import type { UserInfo } from '../../meta/user-info.ts';

/** The name of a service account as a user (spec 5.2). */
export function accountUsername(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** A service account as a user. */
export function accountUser(
  account: { readonly namespace: string; readonly name: string; readonly uid: string },
  extra: UserInfo['extra'] = {},
): UserInfo {
  const { namespace, name, uid } = account;
  return {
    username: accountUsername(namespace, name),
    uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra,
  };
}
