import type { StorageClass } from '../../../gen/stored/storage-v1.ts';
import { builtIn } from '../../built-in.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import type { CellContext, Column } from '../../../codec/table-definition.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import type { TopologySelectorTerm } from '../../../gen/stored/core-v1.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkEach, checkString, repeatsOf } from '../../rules/fields/field-checks.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkParameters } from '../check-parameters.ts';

/** All errors of a storage class. */
function validateStorageClass(storageClass: StorageClass): readonly FieldError[] {
  const { provisioner, parameters = {}, reclaimPolicy, allowedTopologies = [] } = storageClass;
  return [
    ...(provisioner === ''
      ? [required('provisioner')]
      : validateQualifiedName(provisioner.toLowerCase()).map((text) => invalid('provisioner', provisioner, text))),
    ...checkParameters(parameters, true),
    ...reclaimErrors(reclaimPolicy),
    ...topologyErrors(allowedTopologies),
  ];
}

const reclaimPolicies = ['Delete', 'Retain'];

function reclaimErrors(policy: string): readonly FieldError[] {
  const isKnown = policy === '' || reclaimPolicies.includes(policy);
  return isKnown ? [] : [notSupported('reclaimPolicy', policy, reclaimPolicies)];
}

/**
 * Checks the topologies: each term is unique. An empty term is always reported as a duplicate, as
 * kube-apiserver does.
 */
function topologyErrors(terms: readonly TopologySelectorTerm[]): readonly FieldError[] {
  const seen = new Set([choiceOf({})]);
  return errorsOfEach(terms, (term, index) => {
    const field = `allowedTopologies[${index}].matchLabelExpressions`;
    const choice = choiceOf(term);
    const repeats = seen.has(choice);
    seen.add(choice);
    return allErrors(termErrors(term, field), repeats ? [duplicate(field, '')] : noErrors);
  });
}

/**
 * A text that is equal for terms with the same requirements in any order. Of several requirements
 * for a key, which are reported, the last counts.
 */
function choiceOf(term: TopologySelectorTerm): string {
  const expressions = term.matchLabelExpressions ?? [];
  const choices = new Map(expressions.map(({ key, values }) => [key, [...new Set(values)].toSorted()]));
  return JSON.stringify([...choices].map((choice) => JSON.stringify(choice)).toSorted());
}

function termErrors(term: TopologySelectorTerm, field: string): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach(field, term.matchLabelExpressions ?? [], ({ key, values: given }, path) => {
    const values = given ?? [];
    const errors = allErrors(
      values.length === 0 ? [required(`${path}.values`)] : noErrors,
      errorsOfEach([...repeatsOf(values)], (index) => [duplicate(`${path}.values[${index}]`, values[index])]),
      checkString(`${path}.key`, key, validateQualifiedName),
      seen.has(key) ? [duplicate(`${path}.key`, key)] : noErrors,
    );
    seen.add(key);
    return errors;
  });
}

/** Immutable fields, from which volumes have been provisioned. */
const fixed = ['parameters', 'provisioner', 'reclaimPolicy'] as const;

/** The errors of an update: changes of immutable fields. */
function validateStorageClassUpdate(
  storageClass: StorageClass,
  old: StorageClass,
  { emulated }: StrategyContext,
): readonly FieldError[] {
  if (isSince(emulated.release, '1.36')) {
    const names = [...fixed, 'volumeBindingMode'] as const;
    return names.flatMap((name) => checkImmutable(name, storageClass[name], old[name]));
  }
  return [
    ...fixed
      .filter((name) => !sameValue(storageClass[name], old[name]))
      .map((name) => forbidden(name, `updates to ${name} are forbidden.`)),
    ...checkImmutable('volumeBindingMode', storageClass.volumeBindingMode, old.volumeBindingMode),
  ];
}

/** The columns of storage classes. */
const columns: readonly Column<StorageClass>[] = [
  { ...nameColumn, cell: nameOrDefault },
  textColumn('Provisioner', 'Plugin that makes the volumes.', ({ provisioner }) => provisioner),
  textColumn(
    'ReclaimPolicy',
    'What happens to a volume when its claim is deleted.',
    ({ reclaimPolicy }) => reclaimPolicy,
  ),
  textColumn('VolumeBindingMode', 'When volumes are made and bound.', (object) => object.volumeBindingMode),
  textColumn('AllowVolumeExpansion', 'Whether volumes can grow.', (object) => object.allowVolumeExpansion ?? false),
  ageColumn,
];

function nameOrDefault({ metadata }: StorageClass, { identifiers: { labelDomain } }: CellContext): string {
  const { name: own = '', annotations = {} } = metadata;
  const marks = [`storageclass.${labelDomain}/is-default-class`, `storageclass.beta.${labelDomain}/is-default-class`];
  const isDefault = marks.some((mark) => annotations[mark] === 'true');
  return isDefault ? `${own} (default)` : own;
}

/** The strategy of storage classes. */
const strategy: Strategy<StorageClass> = {
  returnsDeletedObject: true,
  default: (storageClass) => {
    storageClass.reclaimPolicy ??= 'Delete';
    storageClass.volumeBindingMode ??= 'Immediate';
  },
  validate: validateStorageClass,
  validateUpdate: validateStorageClassUpdate,
};

/** The resource `storageclasses` of the group `storage`. */
export const storageClasses = builtIn<StorageClass>({
  group: 'storage',
  resource: 'storageclasses',
  kind: 'StorageClass',
  versions: {
    v1: { introduced: '1.6' },
    v1beta1: { introduced: '1.4', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  shortNames: ['sc'],
  columns,
  strategy,
});
