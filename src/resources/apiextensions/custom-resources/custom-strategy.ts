import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, sameValue } from '../../../meta/read-field.ts';
import type { Strategy, SubresourceStrategy } from '../../../registry/strategy.ts';
import type { StatusSubject } from '../../../status/status-error.ts';
import { keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { customScale, scaleErrors } from './custom-scale.ts';

/**
 * The strategy of a custom resource. `stored` is the declaration of its storage version, `declared`
 * those of all versions, each with its sub-resources.
 */
export function customStrategy(subject: StatusSubject, stored: JsonObject, declared: readonly JsonObject[]): Strategy {
  const scaled = [stored, ...declared].find((version) => isSet(objectAt(version, 'subresources'), 'scale'));
  const scale = scaled && objectAt(scaled, 'subresources', 'scale');
  const hasStatus = declared.some((version) => isSet(objectAt(version, 'subresources'), 'status'));
  const subresources: Record<string, SubresourceStrategy> = {
    ...(hasStatus ? { status: keepMetadata() } : {}),
    ...(scale ? { scale: customScale(scale, subject) } : {}),
  };
  return {
    plainFinalizers: true,
    generation: true,
    // Without the sub-resource, the status is a field like others.
    ...(hasStatus ? {} : { raisesGeneration: (object, old) => !sameValue(object['status'], old['status']) }),
    allowUnconditionalUpdate: false,
    ...(scale ? { validate: (object) => scaleErrors(scale, object) } : {}),
    fieldsOf: () => ({}),
    subresources,
  };
}
