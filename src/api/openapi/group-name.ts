import type { Identifiers } from '../../identifiers/identifiers.ts';

/**
 * A group as operations are named by it: `Core` for the core group, `RbacAuthorization` for
 * `rbac.authorization.<domain>`, `ExampleCom` for a custom group.
 */
export function groupName(group: string, { apiDomain }: Identifiers): string {
  const short = group.endsWith(`.${apiDomain}`) ? group.slice(0, -apiDomain.length - 1) : group;
  return capitalised(short === '' ? 'core' : short, /[.-]/);
}

/** The tag of a group, or of one of its versions: `rbacAuthorization_v1`. */
export function groupTag(group: string, identifiers: Identifiers, version?: string): string {
  const name = groupName(group, identifiers);
  const tag = name.charAt(0).toLowerCase() + name.slice(1);
  return version === undefined ? tag : `${tag}_${version}`;
}

/** A text in parts that each begin with a capital. */
export function capitalised(text: string, between: RegExp = /[/]/): string {
  return text
    .split(between)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
