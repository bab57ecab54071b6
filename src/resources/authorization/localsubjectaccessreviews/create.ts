import type { JsonObject } from '../../../meta/json-value.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { badRequest } from '../../../status/status-error.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';
import type { VirtualCreate } from '../../../registry/virtual-create.ts';
import { virtualCreate } from '../../virtual-resource.ts';
import {
  type AccessReviewer,
  attributeErrors,
  attributesOf,
  metadataErrors,
  reviewedUser,
  statusOf,
  userErrors,
} from '../access-review.ts';

/**
 * Creates the handler of LocalSubjectAccessReviews: whether a user may do something in one
 * namespace. Its creator learns nothing about other namespaces.
 */
export function localSubjectAccessReview(reviewer: AccessReviewer): VirtualCreate {
  return virtualCreate({
    group: 'authorization',
    kind: 'LocalSubjectAccessReview',
    validate: (review, { version, namespace }) => [
      ...attributeErrors(review),
      ...userErrors(review, version),
      ...metadataErrors(review, ['namespace']),
      ...placeErrors(review, namespace),
    ],
    answer: async (review, { version, namespace }) => {
      checkPlace(review, namespace);
      return statusOf(await reviewer.authorize(attributesOf(review, reviewedUser(review, version))));
    },
    explain: (review, { version, user }) => reviewer.explain(attributesOf(review, reviewedUser(review, version)), user),
  });
}

/**
 * Checks that the review asks for the namespace that its metadata have. Metadata without one have
 * that of the request, if this is the one in question.
 */
function placeErrors(review: JsonObject, namespace: string): FieldError[] {
  const spec = objectAt(review, 'spec');
  const asked = stringAt(objectAt(spec, 'resourceAttributes'), 'namespace');
  const written = stringAt(objectAt(review, 'metadata'), 'namespace');
  const isFilledIn = written === '' && asked === namespace;
  return [
    ...(isSet(spec, 'resourceAttributes') && asked !== written && !isFilledIn
      ? [invalid('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace')]
      : []),
    ...(isSet(spec, 'nonResourceAttributes')
      ? [
          invalid(
            'spec.nonResourceAttributes',
            objectAt(spec, 'nonResourceAttributes'),
            'disallowed on this kind of request',
          ),
        ]
      : []),
  ];
}

/** Throws 400 if a valid review is for another namespace than that of the request. */
function checkPlace(review: JsonObject, namespace: string): void {
  if (stringAt(objectAt(review, 'spec', 'resourceAttributes'), 'namespace') === namespace) return;
  throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
}
