import type { SubresourceStrategy } from '../../../registry/strategy.ts';
import { validateFinalizer } from '../../../registry/validate-metadata.ts';
import { keepField, objectAt, stringsAt } from '../../../meta/read-field.ts';
import { checkEach } from '../../rules/fields/check.ts';

/** `namespaces/finalize`: the one way to change `spec.finalizers`, for whoever has emptied the namespace. */
export const finalizeNamespace: SubresourceStrategy = {
  prepareForUpdate: (namespace, old) => keepField(namespace, old, 'status'),
  validateUpdate: (namespace, _old, { identifiers }) =>
    checkEach('spec.finalizers', stringsAt(objectAt(namespace, 'spec'), 'finalizers'), (finalizer, path) =>
      validateFinalizer(path, finalizer, identifiers),
    ),
};
