import type { JsonObject } from '../../meta/json-value.ts';
import type { UserInfo } from '../../meta/user-info.ts';

/** The fields of a UserInfo of the API; those without a value are left out. */
export function userInfoFields({ username, uid, groups, extra }: UserInfo): JsonObject {
  const entries = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return {
    username,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}
