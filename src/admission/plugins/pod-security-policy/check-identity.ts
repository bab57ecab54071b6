import type { SecurityContext, SELinuxOptions } from '../../../gen/stored/core-v1.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { type IdRule, isInRanges, type NumberRange, type UsablePolicy } from './usable-policy.ts';

/** Checks groups against a rule. */
export function checkGroups(field: string, groups: readonly number[], { rule, ranges }: IdRule): readonly FieldError[] {
  if (rule !== 'MustRunAs' && rule !== 'MayRunAs') return [];
  if (rule === 'MustRunAs' && groups.length === 0) {
    return [invalid(field, groups, 'unable to validate empty groups against required ranges')];
  }
  return groups
    .filter((group) => !isInRanges(group, ranges))
    .map((group) => invalid(field, groups, `group ${group} must be in the ranges: ${showRanges(ranges)}`));
}

/** Checks the user of a security context, in which fields of the Pod and container are merged. */
export function checkUser(field: string, security: SecurityContext, { rule, ranges }: IdRule): readonly FieldError[] {
  const { runAsUser, runAsNonRoot } = security;
  const user = runAsUser === undefined ? undefined : Number(runAsUser);
  if (rule === 'MustRunAs') {
    if (user === undefined) return [required(`${field}.runAsUser`)];
    const isAllowed = isInRanges(user, ranges);
    return isAllowed ? [] : [invalid(`${field}.runAsUser`, user, `must be in the ranges: ${showRanges(ranges)}`)];
  }
  if (rule !== 'MustRunAsNonRoot') return [];
  if (user === undefined && runAsNonRoot === undefined) return [required(`${field}.runAsNonRoot`, 'must be true')];
  if (runAsNonRoot === false) return [invalid(`${field}.runAsNonRoot`, false, 'must be true')];
  return user === 0 ? [invalid(`${field}.runAsUser`, 0, 'running with the root UID is forbidden')] : [];
}

/** Checks the SELinux options of a security context. */
export function checkSeLinux(
  field: string,
  { seLinuxOptions: given }: { readonly seLinuxOptions?: SELinuxOptions },
  { spec: { seLinux } }: UsablePolicy,
): readonly FieldError[] {
  if (seLinux.rule !== 'MustRunAs') return [];
  if (!given) return [required(field)];
  return (['level', 'role', 'type', 'user'] as const).flatMap((name) => {
    const [right, value] = [seLinux.seLinuxOptions?.[name] ?? '', given[name] ?? ''];
    const isSame = name === 'level' ? sortedLevel(right) === sortedLevel(value) : right === value;
    return isSame ? [] : [invalid(`${field}.${name}`, value, `must be ${right}`)];
  });
}

/** A level with its categories in order: `s0:c2,c1` is the same as `s0:c1,c2`. */
function sortedLevel(level: string): string {
  const [sensitivity = '', categories = '', ...rest] = level.split(':');
  return [sensitivity, categories.split(',').toSorted().join(), ...rest].join(':');
}

/** As Go prints ranges. */
function showRanges(ranges: readonly NumberRange[]): string {
  return `[${ranges.map(({ min, max }) => `{${min} ${max}}`).join(' ')}]`;
}
