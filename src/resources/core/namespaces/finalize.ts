import type { SubresourceStrategy } from '../../../registry/strategy.ts';
import { validateFinalizer } from '../../../registry/validate-metadata.ts';
import { keepField, objectAt, stringsAt } from '../../../meta/read-field.ts';
import { checkEach } from '../../rules/fields/check.ts';

/**
 * The `finalize` sub-resource: the only way to change `spec.finalizers`. The namespace controller
 * uses it after it has emptied the namespace.
 */
export const finalizeNamespace: SubresourceStrategy = {
  prepareForUpdate: (namespace, old) => keepField(namespace, old, 'status'),
  validateUpdate: (namespace, _old, { identifiers }) =>
    checkEach('spec.finalizers', stringsAt(objectAt(namespace, 'spec'), 'finalizers'), (finalizer, path) =>
      validateFinalizer(path, finalizer, identifiers),
    ),
};
