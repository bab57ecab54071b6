import { mutate, validate } from '../admission/admission.ts';
import { attributesOf } from './admit.ts';
import type { RequestScope } from './registry.ts';
import type { StoredResource } from './stored-resource.ts';

/** The options of a request for a connect sub-resource are those of the sub-resource. */
const noOptions = Object.freeze({ dryRun: false, fieldManager: '', force: false, fieldValidation: 'Ignore' });

/**
 * Runs admission for a request for a connect sub-resource. Plugins see neither an object nor the
 * options in the query. Throws the first refusal.
 */
export async function admitConnect(resource: StoredResource, scope: RequestScope): Promise<void> {
  const nothing = { name: scope.name, object: undefined, oldObject: undefined };
  const attributes = attributesOf({ resource, scope, options: noOptions }, 'CONNECT', nothing);
  await mutate(resource.admission, attributes);
  await validate(resource.admission, attributes);
}
