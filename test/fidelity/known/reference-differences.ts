import {
  bodyPlace,
  isClientError,
  isOwnership,
  isStatus,
  type KnownDifference,
  ownedField,
} from './known-difference.ts';

/** Differences in which this server follows the specification, or answers where kube-apiserver fails. */
export const referenceDifferences: readonly KnownDifference[] = [
  {
    row: 'malformed-500',
    matches: (difference) => isStatus(difference) && difference.reference === 500 && isClientError(difference.ours),
  },
  {
    row: 'malformed-closed',
    matches: (difference) => isStatus(difference) && difference.reference === 0 && isClientError(difference.ours),
  },
  {
    row: 'head',
    matches: ({ path }, { step, reference, ours }) =>
      (path[0] === 'status' || path[0] === 'contentType' || path[0] === 'body') &&
      step.method === 'HEAD' &&
      reference.status === 405 &&
      JSON.stringify(ours.body) === '{"likeGet":true}',
  },
  {
    row: 'empty-dry-run',
    matches: (difference, { step, reference, ours }) =>
      step.query?.['dryRun'] === '' &&
      reference.status === 422 &&
      (isStatus(difference) || bodyPlace(difference) === 'details/causes/dryRun FieldValueNotSupported') &&
      !JSON.stringify(ours.body).includes('dryRun'),
  },
  {
    row: 'missing-service-status',
    matches: (difference, { subject, step, ours }) =>
      subject.info.resource === 'services' &&
      step.path.endsWith('/status') &&
      isStatus(difference) &&
      ours.status === 404,
  },
  {
    row: 'limit-any-version',
    matches: ({ path }, { step, reference, ours }) =>
      step.query?.['limit'] !== undefined &&
      /^0+$/.test(step.query['resourceVersion'] ?? '') &&
      reference.status === 200 &&
      ours.status === 200 &&
      path[0] === 'body' &&
      (path[1] === 'items' || path[1] === 'metadata'),
  },
  {
    row: 'continue-after-last',
    matches: (difference, { step }) =>
      bodyPlace(difference) === 'metadata/continue' &&
      difference.ours === undefined &&
      (step.query?.['labelSelector'] !== undefined || step.query?.['fieldSelector'] !== undefined),
  },
  {
    row: 'reset-managed-fields',
    matches: (difference, { step }) =>
      ownedField(difference) !== undefined &&
      difference.reference === undefined &&
      JSON.stringify(step.body ?? '').includes('"managedFields":[{}]'),
    lasts: isOwnership,
  },
  {
    row: 'empty-map-ownership',
    matches: (difference) =>
      difference.ours === undefined &&
      /^f:(?:metadata\/f:(?:labels|annotations)|data)\/f:/.test(ownedField(difference) ?? ''),
    lasts: isOwnership,
  },
  {
    row: 'applied-defaults',
    matches: (difference, { step, reference, ours }) =>
      step.type?.includes('apply') === true && isStatus(difference) && reference.status === 422 && ours.status === 200,
  },
  {
    row: 'collection-delete-options',
    matches: (difference, { step, subject }) =>
      subject.info.resource === 'pods' &&
      step.method === 'DELETE' &&
      step.path === subject.collection &&
      /^items\/\d+\/metadata\/deletionGracePeriodSeconds$/.test(bodyPlace(difference)),
  },
];
