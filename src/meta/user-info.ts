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
