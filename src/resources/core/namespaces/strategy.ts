import { errorsOfEach } from '../../../status/all-errors.ts';
import { type JsonObject, setOwn } from '../../../meta/json-value.ts';
import { validateDnsLabel, validateNameBase } from '../../../meta/validate-name.ts';
import type { Strategy, StrategyContext } from '../../../registry/strategy.ts';
import { validateFinalizer } from '../../../registry/validate-metadata.ts';
import { keepField, makeObjectAt, objectAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { finalizeNamespace } from './finalize.ts';
import { validateNamespaceStatus } from './status.ts';

/**
 * The strategy of namespaces. Their deletion waits for `spec.finalizers`, which only
 * `namespaces/finalize` changes.
 */
export const strategy: Strategy = {
  validateName: (name, prefix) => (prefix ? validateNameBase(validateDnsLabel, name) : validateDnsLabel(name)),
  default: labelWithName,
  prepareForCreate: prepareNamespace,
  validateCreate: (namespace, { identifiers }) =>
    errorsOfEach(stringsAt(objectAt(namespace, 'spec'), 'finalizers'), (finalizer) =>
      validateFinalizer('spec.finalizers', finalizer, identifiers),
    ),
  prepareForUpdate: (namespace, old) => {
    keepField(namespace, old, 'spec');
    keepField(namespace, old, 'status');
  },
  holdsDeletion: (namespace) => stringsAt(objectAt(namespace, 'spec'), 'finalizers').length > 0,
  prepareForDelete: (namespace) => {
    makeObjectAt(namespace, 'status')['phase'] = 'Terminating';
  },
  generation: false,
  selectableFields: ['status.phase'],
  fieldsOf: (namespace) => ({
    'status.phase': stringAt(objectAt(namespace, 'status'), 'phase'),
  }),
  subresources: {
    status: { default: labelWithName, validateUpdate: validateNamespaceStatus },
    finalize: finalizeNamespace,
  },
};

/** Adds the name as a label, so that label selectors can select a namespace by name. Mutates. */
function labelWithName(namespace: JsonObject, { identifiers }: StrategyContext): void {
  const metadata = makeObjectAt(namespace, 'metadata');
  const name = stringAt(metadata, 'name');
  if (name !== '') setOwn(makeObjectAt(metadata, 'labels'), `${identifiers.labelDomain}/metadata.name`, name);
}

function prepareNamespace(namespace: JsonObject, context: StrategyContext): void {
  // A generated name does not exist yet when the defaults are filled in.
  labelWithName(namespace, context);
  namespace['status'] = { phase: 'Active' };
  const spec = makeObjectAt(namespace, 'spec');
  const finalizers = stringsAt(spec, 'finalizers');
  const { product } = context.identifiers;
  if (!finalizers.includes(product)) spec['finalizers'] = [...finalizers, product];
}
