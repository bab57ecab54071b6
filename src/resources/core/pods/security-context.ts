import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { isTrue, isSet, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { allErrors, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkEach } from '../../rules/fields/check.ts';
import { checkLocalPath } from './reference.ts';
import { checkWindowsOptions } from './windows-options.ts';

/** Checks rules between the fields of a container's security context. */
export function checkContainerSecurity(field: string, security: JsonObject): readonly FieldError[] {
  const denied = getOwn(security, 'allowPrivilegeEscalation') === false;
  const added = stringsAt(objectAt(security, 'capabilities'), 'add');
  const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
  return allErrors(
    checkSeccomp(`${field}.seccompProfile`, security),
    denied && isTrue(security, 'privileged')
      ? [invalid(field, security, `${cannot} \`privileged\` to true`)]
      : noErrors,
    denied && added.includes('CAP_SYS_ADMIN')
      ? [invalid(field, security, `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`)]
      : noErrors,
    checkWindowsOptions(`${field}.windowsOptions`, security),
  );
}

const sysctlLimit = 253;
const sysctlPart = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlFormat = `(${sysctlPart}[\\./])*${sysctlPart}`;
const sysctlPattern = new RegExp(`^${sysctlFormat}$`);

/** Checks the rules of a Pod's security context. */
export function checkPodSecurity(field: string, spec: JsonObject): readonly FieldError[] {
  const security = objectAt(spec, 'securityContext');
  const seen = new Set<string>();
  const shared = isTrue(spec, 'shareProcessNamespace');
  return allErrors(
    shared && isTrue(spec, 'hostPID')
      ? [invalid(`${field}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled')]
      : noErrors,
    checkEach(`${field}.sysctls`, objectsAt(security, 'sysctls'), (sysctl, path) => {
      const name = stringAt(sysctl, 'name');
      const valid = name.length <= sysctlLimit && sysctlPattern.test(name);
      if (name === '') return [required(`${path}.name`)];
      if (!valid) {
        const rule = `must have at most ${sysctlLimit} characters and match regex ^${sysctlFormat}$`;
        return [invalid(`${path}.name`, name, rule)];
      }
      const repeats = seen.has(name);
      seen.add(name);
      return repeats ? [duplicate(`${path}.name`, name)] : noErrors;
    }),
    checkSeccomp(`${field}.seccompProfile`, security),
    checkWindowsOptions(`${field}.windowsOptions`, security),
  );
}

/** Checks that `localhostProfile` is set for the type Localhost, and for no other type. */
function checkSeccomp(field: string, security: JsonObject): readonly FieldError[] {
  if (!isSet(security, 'seccompProfile')) return noErrors;
  const profile = objectAt(security, 'seccompProfile');
  const local = stringAt(profile, 'type') === 'Localhost';
  const path = stringAt(profile, 'localhostProfile');
  if (local && !isSet(profile, 'localhostProfile')) {
    return [required(`${field}.localhostProfile`, 'must be set when seccomp type is Localhost')];
  }
  if (local) return checkLocalPath(`${field}.localhostProfile`, path);
  return isSet(profile, 'localhostProfile')
    ? [invalid(`${field}.localhostProfile`, path, 'can only be set when seccomp type is Localhost')]
    : noErrors;
}
