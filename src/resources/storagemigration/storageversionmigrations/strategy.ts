import type { StorageVersionMigration } from '../../../gen/stored/storagemigration-v1beta1.ts';
import { validateDns1035Label, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkConditions } from '../../rules/fields/check-conditions.ts';
import { keepMetadata, userFields } from '../../rules/fields/keep-metadata.ts';

/** The immutable fields of the resource. kube-apiserver reports them without a path. */
const fixed = ['group', 'resource'] as const;

/** The strategy of migrations. The resource is immutable, and an ended migration stays ended. */
export const strategy: Strategy<StorageVersionMigration> = {
  generation: false,
  validate: ({ spec: { resource } }, { emulated: { release } }) => resourceErrors(resource, isSince(release, '1.35')),
  validateUpdate: ({ spec: { resource } }, { spec: { resource: old } }) =>
    fixed
      .filter((name) => resource[name] !== old[name])
      .map((name) => invalid(name, resource[name], 'field is immutable')),
  allowUnconditionalUpdate: false,
  subresources: {
    status: { ...keepMetadata([...userFields, 'deletionTimestamp']), validateUpdate: validateStatus },
  },
};

/** The errors of a resource reference; its form is checked since release 1.35. */
function resourceErrors(
  { group, resource }: StorageVersionMigration['spec']['resource'],
  checksSpelling: boolean,
): readonly FieldError[] {
  const field = 'spec.resource';
  if (resource === '') {
    return [required(`${field}.resource`, checksSpelling ? 'resource is required to be set' : 'resource is required')];
  }
  if (!checksSpelling) return [];
  const [ofResource, ofGroup] = [validateDns1035Label(resource), group === '' ? [] : validateDnsSubdomain(group)];
  return [
    ...(ofResource.length > 0 ? [invalid(`${field}.resource`, resource, ofResource.join(','))] : []),
    ...(ofGroup.length > 0 ? [invalid(`${field}.group`, group, ofGroup.join(','))] : []),
  ];
}

function isTrue({ status: { conditions = [] } }: StorageVersionMigration, type: string): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}

function validateStatus(migration: StorageVersionMigration, old: StorageVersionMigration): readonly FieldError[] {
  const { resourceVersion = '', conditions = [] } = migration.status;
  const field = 'status.conditions';
  const [succeeded, failed, running] = ['Succeeded', 'Failed', 'Running'].map((type) => isTrue(migration, type));
  const problems = [
    succeeded && failed && 'Both success and failed conditions cannot be true at the same time',
    succeeded && running && 'Running condition cannot be true when success condition is true',
    failed && running && 'Running condition cannot be true when failed condition is true',
    isTrue(old, 'Succeeded') && !succeeded && 'Success condition cannot be set to false once it is true',
    isTrue(old, 'Failed') && !failed && 'Failed condition cannot be set to false once it is true',
  ];
  return [
    ...versionErrors(resourceVersion),
    ...checkConditions(field, conditions),
    ...keptVersionErrors(resourceVersion, old.status.resourceVersion),
    ...problems.flatMap((problem) => (problem ? [invalid(field, conditions, problem)] : [])),
  ];
}

const versionField = 'status.resourceVersion';

function versionErrors(version: string): readonly FieldError[] {
  if (version === '') return [];
  if (/^-\d+$/.test(version)) {
    return [invalid(versionField, Number(version), 'must be greater than or equal to 0')];
  }
  if (/^\d+$/.test(version)) return [];
  const shown = JSON.stringify(version);
  const reason = `failed to parse resource version ${shown}: strconv.ParseInt: parsing ${shown}: invalid syntax`;
  return [invalid(versionField, version, reason)];
}

function keptVersionErrors(version: string, old = ''): readonly FieldError[] {
  return old !== '' && old !== version ? [invalid(versionField, version, 'cannot be updated')] : [];
}
