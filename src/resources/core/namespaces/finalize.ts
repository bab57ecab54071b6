import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { SubresourceStrategy } from '../../../registry/strategy.ts';
import { keepField, objectAt, stringsAt } from '../../../meta/read-field.ts';
import { checkEach, checkString } from '../../rules/check.ts';

/** `namespaces/finalize`: the one way to change `spec.finalizers`, for whoever has emptied the namespace. */
export const finalizeNamespace: SubresourceStrategy = {
  prepareForUpdate: (namespace, old) => keepField(namespace, old, 'status'),
  validateUpdate: (namespace) =>
    checkEach('spec.finalizers', stringsAt(objectAt(namespace, 'spec'), 'finalizers'), (finalizer, path) =>
      checkString(path, finalizer, validateQualifiedName),
    ),
};
