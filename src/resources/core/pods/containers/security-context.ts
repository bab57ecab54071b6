import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  WindowsSecurityContextOptions,
} from '../../../../gen/stored/core-v1.ts';
import { nothingWrong, validateDnsSubdomain } from '../../../../meta/validate-name.ts';
import type { EmulatedRelease } from '../../../../scheme/emulated-release.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { forbidden, invalid, notSupported, tooLong } from '../../../../status/field-error.ts';
import { checkString } from '../../../rules/fields/field-checks.ts';
import { checkLocalPath } from '../volumes/reference.ts';

/**
 * Checks the security context of a container in relation to its pod: only pods in a user namespace
 * may have an unmasked /proc.
 */
export function checkContainerSecurity(
  security: FieldCursor<SecurityContext | undefined>,
  { hostUsers = true }: Pick<PodSpec, 'hostUsers'>,
  { forbidsPrivileged = false }: EmulatedRelease,
): void {
  if (!security.isPresent()) return;
  const { allowPrivilegeEscalation, privileged, capabilities, procMount } = security.value;
  if (privileged && forbidsPrivileged) {
    security.report(forbidden(`${security.path}.privileged`, 'disallowed by cluster policy'));
  }
  if (hostUsers && procMount === 'Unmasked') {
    security.at('procMount').reportInvalid('`hostUsers` must be false to use `Unmasked`');
  }
  const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
  if (allowPrivilegeEscalation === false) {
    if (privileged) security.reportInvalid(`${cannot} \`privileged\` to true`);
    if (capabilities?.add?.includes('CAP_SYS_ADMIN')) {
      security.reportInvalid(`${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`);
    }
  }
  checkSeccomp(security.at('seccompProfile'));
  checkWindowsOptions(security.at('windowsOptions'));
  checkArmor(security.at('appArmorProfile'));
}

const sysctlLimit = 253;
const sysctlPart = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlFormat = `(${sysctlPart}[\\./])*${sysctlPart}`;
const sysctlPattern = new RegExp(`^${sysctlFormat}$`);

/** Checks the rules of a Pod's security context. */
export function checkPodSecurity(spec: FieldCursor<PodSpec>, emulated: EmulatedRelease): void {
  const security = spec.at('securityContext');
  if (spec.value.shareProcessNamespace && spec.value.hostPID) {
    // The error names a field of the context, which has no field of this name.
    const field = `${security.path}.shareProcessNamespace`;
    spec.report(invalid(field, true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  }
  const seen = new Set<string>();
  for (const sysctl of security.each('sysctls')) {
    const name = sysctl.at('name');
    if (!name.isSet) continue;
    if (name.value.length <= sysctlLimit && sysctlPattern.test(name.value)) name.mustBeUnique(seen);
    else name.reportInvalid(`must have at most ${sysctlLimit} characters and match regex ^${sysctlFormat}$`);
  }
  checkSeccomp(security.at('seccompProfile'));
  checkWindowsOptions(security.at('windowsOptions'));
  checkArmor(security.at('appArmorProfile'));
  checkPolicies(security, emulated);
}

/** Checks the policies of a pod. Without SELinuxMount, volumes are relabelled recursively. */
function checkPolicies(security: FieldCursor<PodSecurityContext>, emulated: EmulatedRelease): void {
  checkChoice(security.at('supplementalGroupsPolicy'), ['Merge', 'Strict']);
  const labelling = emulated.isFeatureEnabled('SELinuxMount') ? ['MountOption', 'Recursive'] : ['Recursive'];
  checkChoice(security.at('seLinuxChangePolicy'), labelling);
}

function checkChoice(field: FieldCursor<string | undefined>, values: readonly string[]): void {
  const { value, path } = field;
  if (value !== undefined && !values.includes(value)) field.report(notSupported(path, value, values));
}

const armorTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
/** Maximum length of a profile name, which is a path on Linux. */
const armorNameLimit = 4095;

/** Checks that an AppArmor profile has a name exactly if its type is Localhost. */
function checkArmor(profile: FieldCursor<AppArmorProfile | undefined>): void {
  if (!profile.isPresent()) return;
  const [type, local] = [profile.at('type'), profile.at('localhostProfile')];
  if (!type.isSet) return type.reportRequired('type is required when appArmorProfile is set');
  if (!armorTypes.includes(type.value)) return type.report(notSupported(type.path, type.value, armorTypes));
  if (type.value !== 'Localhost') {
    if (local.isPresent()) local.reportInvalid('can only be set when AppArmor type is Localhost');
    return;
  }
  const name = local.value ?? '';
  if (name.trim() !== name) local.reportInvalid('must not be padded with whitespace');
  else if (name === '') local.reportRequired('must be set when AppArmor type is Localhost');
  if (Buffer.byteLength(name) > armorNameLimit) local.report(tooLong(local.path, armorNameLimit));
}

/** Checks that `localhostProfile` is set for the type Localhost, and for no other type. */
function checkSeccomp(profile: FieldCursor<SeccompProfile | undefined>): void {
  if (!profile.isPresent()) return;
  const local = profile.at('localhostProfile');
  if (profile.value.type !== 'Localhost') {
    if (local.isPresent()) local.reportInvalid('can only be set when seccomp type is Localhost');
  } else if (local.isPresent()) local.report(...checkLocalPath(local.path, local.value));
  else local.reportRequired('must be set when seccomp type is Localhost');
}

/** Checks the options of a security context for Windows. */
function checkWindowsOptions(options: FieldCursor<WindowsSecurityContextOptions | undefined>): void {
  if (!options.isPresent()) return;
  const rules = [
    ['gmsaCredentialSpecName', validateDnsSubdomain],
    ['gmsaCredentialSpec', credentialMessages],
    ['runAsUserName', userMessages],
  ] as const;
  for (const [name, rule] of rules) {
    const { value, path } = options.at(name);
    // An empty text is checked, too.
    if (value !== undefined) options.report(...checkString(path, value, rule));
  }
}

/** Maximum sizes of credentials, in KiB, and of the parts of a user name, in characters. */
const limits = { credentialsKibibytes: 64, domain: 256, user: 104 };

function credentialMessages(credentials: string): readonly string[] {
  if (credentials === '') return ['gmsaCredentialSpec cannot be an empty string'];
  return Buffer.byteLength(credentials) > limits.credentialsKibibytes * 1024
    ? [`gmsaCredentialSpec size must be under ${limits.credentialsKibibytes} KiB`]
    : nothingWrong;
}

function userMessages(name: string): readonly string[] {
  return userProblems(name).map((problem) => `runAsUserName${problem}`);
}

function userProblems(name: string): readonly string[] {
  if (name === '') return [' cannot be an empty string'];
  if (/\p{Cc}/u.test(name)) return [' cannot contain control characters'];
  const parts = name.split('\\');
  const [domain, user] = parts.length > 1 ? parts : [undefined, name];
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  return [...domainProblems(domain), ...namePartProblems(user ?? '')];
}

const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsLabel = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;

function domainProblems(domain: string | undefined): readonly string[] {
  if (domain === undefined) return [];
  const isKnown = netBios.test(domain) || domain.split('.').every((label) => dnsLabel.test(label));
  return [
    ...(Buffer.byteLength(domain) >= limits.domain
      ? [`'s Domain length must be under ${limits.domain} characters`]
      : []),
    ...(isKnown ? [] : ["'s Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

const shownCharacters = '"/\\:;|=,+*?<>@[]';

function namePartProblems(user: string): readonly string[] {
  const length = Buffer.byteLength(user);
  return [
    ...(length === 0 ? ["'s User cannot be empty"] : []),
    ...(length > limits.user ? [`'s User length must not be longer than ${limits.user} characters`] : []),
    ...(/^[. ]+$/.test(user) ? ["'s User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user)
      ? [`'s User cannot contain the following characters: ${shownCharacters}`]
      : []),
  ];
}
