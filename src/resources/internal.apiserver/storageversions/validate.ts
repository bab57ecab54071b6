import type {
  ServerStorageVersion,
  StorageVersion,
  StorageVersionCondition,
  StorageVersionStatus,
} from '../../../gen/stored/internal-apiserver-v1alpha1.ts';
import { validateDns1035Label, validateDnsSubdomain, validateQualifiedName } from '../../../meta/validate-name.ts';
import { duplicate, type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkEach, checkString, repeatsOf } from '../../rules/fields/field-checks.ts';

/** Validates a name: `<group>.<resource>`. */
export function validateStorageVersionName(name: string): readonly string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...validateDnsSubdomain(name.slice(0, dot)).map((problem) => `the group segment ${problem}`),
    ...validateDns1035Label(name.slice(dot + 1)).map((problem) => `the resource segment ${problem}`),
  ];
}

/** All errors of a status. The common version must be the version in which all servers write. */
export function validateStorageVersions({ status }: StorageVersion): readonly FieldError[] {
  const servers = status.storageVersions ?? [];
  const indices = repeatsOf(servers, ({ apiServerID = '' }) => apiServerID);
  const repeats = new Set(servers.filter((_, index) => indices.has(index)));
  return [
    ...checkEach('status.storageVersions', status.storageVersions ?? [], (server, path) => [
      ...(repeats.has(server) ? [duplicate(`${path}.apiServerID`, server.apiServerID ?? '')] : []),
      ...serverErrors(server, path),
    ]),
    ...commonVersionErrors(status),
    ...conditionErrors(status.conditions ?? []),
  ];
}

function serverErrors(server: ServerStorageVersion, path: string): readonly FieldError[] {
  const { apiServerID = '', encodingVersion = '', decodableVersions = [], servedVersions = [] } = server;
  const decodable = `${path}.decodableVersions`;
  return [
    ...checkString(`${path}.apiServerID`, apiServerID, validateDnsSubdomain),
    ...versionErrors(`${path}.encodingVersion`, encodingVersion),
    ...checkEach(decodable, decodableVersions, (version, field) => versionErrors(field, version)),
    ...(decodableVersions.includes(encodingVersion)
      ? []
      : [
          invalid(
            decodable,
            [...decodableVersions],
            `decodableVersions must include encodingVersion ${encodingVersion}`,
          ),
        ]),
    ...checkEach(`${path}.servedVersions`, servedVersions, (version, field) => [
      ...versionErrors(field, version),
      ...(decodableVersions.includes(version)
        ? []
        : [
            invalid(
              field,
              version,
              `individual served version : ${version} must be included in decodableVersions : [${decodableVersions.join(' ')}]`,
            ),
          ]),
    ]),
  ];
}

function versionErrors(field: string, apiVersion: string): readonly FieldError[] {
  const messages = validateApiVersion(apiVersion);
  return messages.length > 0 ? [invalid(field, apiVersion, messages.join(','))] : [];
}

const empty = 'must be non-empty';
const severalSlashes =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

function validateApiVersion(apiVersion: string): readonly string[] {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [severalSlashes];
  const version = parts.at(-1) ?? '';
  const group = parts.length === 2 ? parts[0] : undefined;
  return [
    ...(group === undefined ? [] : prefixed('group', group === '' ? [empty] : validateDnsSubdomain(group))),
    ...prefixed('version', version === '' ? [empty] : validateDns1035Label(version)),
  ];
}

function prefixed(what: string, messages: readonly string[]): readonly string[] {
  return messages.map((message) => `${what} part: ${message}`);
}

function commonVersionErrors({ storageVersions = [], commonEncodingVersion }: StorageVersionStatus): FieldError[] {
  const field = 'status.commonEncodingVersion';
  const [first, ...others] = storageVersions.map(({ encodingVersion }) => encodingVersion ?? '');
  const actual = others.every((version) => version === first) ? first : undefined;
  if (actual === commonEncodingVersion) return [];
  if (actual === undefined) {
    return [
      invalid(
        field,
        commonEncodingVersion,
        'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
      ),
    ];
  }
  return commonEncodingVersion === undefined
    ? [invalid(field, null, `the common encoding version is ${actual}`)]
    : [invalid(field, commonEncodingVersion, `the actual common encoding version is ${actual}`)];
}

/** The errors of conditions. As in kube-apiserver they are at items of the status itself. */
function conditionErrors(conditions: readonly StorageVersionCondition[]): readonly FieldError[] {
  const first = new Map<string, number>();
  return checkEach('status', conditions, ({ type, status, reason, message = '' }, path) => {
    const index = Number(path.slice('status['.length, -1));
    const earlier = first.get(type);
    first.set(type, index);
    return [
      ...(earlier === undefined
        ? []
        : [
            invalid(
              `${path}.type`,
              type,
              `the type of the condition is not unique, it also appears in conditions[${earlier}]`,
            ),
          ]),
      ...checkString(`${path}.type`, type, validateQualifiedName),
      ...validateQualifiedName(status).map((problem) => invalid(`${path}.status`, status, problem)),
      ...(reason === '' ? [required(`${path}.reason`)] : []),
      ...(message === '' ? [required(`${path}.message`)] : []),
    ];
  });
}
