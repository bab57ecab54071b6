import type { Namespace } from '../../../gen/stored/core-v1.ts';
import { builtIn, withoutDeleteCollection } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { finalize, statusSubresource } from '../../subresources.ts';
import { setOwn } from '../../../meta/json-value.ts';
import { validateDnsLabel, validateNameBase } from '../../../meta/validate-name.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { validateFinalizer } from '../../../registry/definition/validate-metadata.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { checkEach } from '../../rules/fields/field-checks.ts';

/**
 * The strategy of namespaces. Their deletion waits for `spec.finalizers`, which only
 * `namespaces/finalize` changes. The namespace controller does so after it has emptied the
 * namespace.
 */
const strategy: Strategy<Namespace> = {
  validateName: (name, prefix) => (prefix ? validateNameBase(validateDnsLabel, name) : validateDnsLabel(name)),
  default: labelWithName,
  prepareForCreate: prepareNamespace,
  validateCreate: ({ spec }, { identifiers }) =>
    errorsOfEach(spec.finalizers ?? [], (finalizer) => validateFinalizer('spec.finalizers', finalizer, identifiers)),
  prepareForUpdate: (namespace, old) => {
    namespace.spec = structuredClone(old.spec);
    namespace.status = structuredClone(old.status);
  },
  holdsDeletion: ({ spec }) => (spec.finalizers ?? []).length > 0,
  prepareForDelete: ({ status }) => {
    status.phase = 'Terminating';
  },
  generation: false,
  selectableFields: ['status.phase'],
  fieldsOf: ({ status }) => ({ 'status.phase': status.phase }),
  subresources: {
    status: { default: labelWithName, validateUpdate: validateStatus },
    finalize: {
      prepareForUpdate: (namespace, old) => {
        namespace.status = structuredClone(old.status);
      },
      validateUpdate: ({ spec }, _old, { identifiers }) =>
        checkEach('spec.finalizers', spec.finalizers ?? [], (finalizer, path) =>
          validateFinalizer(path, finalizer, identifiers),
        ),
    },
  },
};

/** Adds the name as a label, so that label selectors can select a namespace by name. Mutates. */
function labelWithName({ metadata }: Namespace, { identifiers }: StrategyContext): void {
  if (!metadata.name) return;
  metadata.labels ??= {};
  setOwn(metadata.labels, `${identifiers.labelDomain}/metadata.name`, metadata.name);
}

function prepareNamespace(namespace: Namespace, context: StrategyContext): void {
  // A generated name does not exist yet when the defaults are filled in.
  labelWithName(namespace, context);
  namespace.status = { phase: 'Active' };
  const { finalizers = [] } = namespace.spec;
  const { product } = context.identifiers;
  if (!finalizers.includes(product)) namespace.spec.finalizers = [...finalizers, product];
}

/** Checks that the phase agrees with the deletion timestamp. */
function validateStatus({ metadata, status: { phase } }: Namespace): readonly FieldError[] {
  if (metadata.deletionTimestamp) {
    return phase === 'Terminating'
      ? []
      : [invalid('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
  }
  return phase === 'Active'
    ? []
    : [invalid('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty")];
}

/** The resource `namespaces` of the core group. */
export const namespaces = builtIn<Namespace>({
  group: '',
  resource: 'namespaces',
  kind: 'Namespace',
  versions: { v1: {} },
  shortNames: ['ns'],
  verbs: withoutDeleteCollection,
  subresources: [finalize, statusSubresource],
  columns: [
    nameColumn,
    textColumn(
      'Status',
      'Phase of the namespace: active, or terminating while its content is deleted.',
      (namespace) => namespace.status.phase,
    ),
    ageColumn,
  ],
  strategy,
});
