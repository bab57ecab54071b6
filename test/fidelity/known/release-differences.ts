import { bodyPlace, isOwnership, type KnownDifference, ownedField } from './known-difference.ts';
import { withoutAtomicContent, withoutNamespaceLabel, withoutSubresource } from './forget-ownership.ts';

/** Differences between release 1.20 and release 1.23, which is the one that this server speaks for. */
export const releaseDifferences: readonly KnownDifference[] = [
  { row: 'release-managed-subresource', forget: (body) => withoutSubresource(body) },
  { row: 'release-atomic-structs', forget: (body, { subject }) => withoutAtomicContent(body, subject.schema) },
  {
    row: 'release-namespace-label',
    forget: (body, { subject }) => (subject.info.resource === 'namespaces' ? withoutNamespaceLabel(body) : body),
  },
  newField('release-job-fields', /^(?:jobs|cronjobs)$/, /(?:^|\/)(?:f:)?(?:completionMode|suspend)$/),
  {
    row: 'release-job-generation',
    matches: (difference, { subject }) =>
      /^(?:jobs|cronjobs)$/.test(subject.info.resource) && /(?:^|\/)metadata\/generation$/.test(bodyPlace(difference)),
  },
  newField(
    'release-service-fields',
    /^services$/,
    /(?:f:)?spec\/(?:f:)?(?:clusterIPs|ipFamilies|ipFamilyPolicy|internalTrafficPolicy|allocateLoadBalancerNodePorts)(?:\/\.)?$/,
  ),
  newField('release-stateful-set-status', /^statefulsets$/, /(?:f:)?status\/(?:f:)?availableReplicas$/),
  newField('release-daemon-set-surge', /^daemonsets$/, /(?:^|\/)(?:f:)?rollingUpdate\/(?:f:)?maxSurge$/),
  newField('release-csi-driver-fields', /^csidrivers$/, /(?:f:)?spec\/(?:f:)?(?:requiresRepublish|storageCapacity)$/),
  newField('release-ingress-class-scope', /^ingressclasses$/, /(?:f:)?parameters\/(?:f:)?scope$/),
  {
    row: 'release-status-reset',
    matches: (difference, { step }) => {
      const field = ownedField(difference);
      if (field === undefined) return false;
      return /\/(?:status|approval)$/.test(step.path) ? !field.startsWith('f:status') : field.startsWith('f:status');
    },
    lasts: isOwnership,
  },
  {
    row: 'release-moved-groups',
    matches: (difference) => bodyPlace(difference) === 'details/group' && difference.reference === 'extensions',
  },
  {
    row: 'release-port-protocol',
    matches: (_, { step, reference, ours }) =>
      step.type?.includes('apply') === true &&
      reference.status === 500 &&
      ours.status < 500 &&
      /omits key field "protocol"/.test(JSON.stringify(reference.body)),
  },
  {
    row: 'release-deprecations',
    matches: ({ path, reference }) =>
      path[0] === 'warnings' && reference === undefined && /is deprecated in v1\.2[1-9]\+/.test(String(path[1])),
  },
  {
    row: 'release-unknown-fields',
    matches: ({ path, reference }) =>
      path[0] === 'warnings' && reference === undefined && /^299 - "(?:unknown|duplicate) field/.test(String(path[1])),
  },
];

/** A field that only ours has, in some resources: its value, or who owns it. */
function newField(row: string, resources: RegExp, place: RegExp): KnownDifference {
  return {
    row,
    matches: (difference, { subject }) =>
      difference.reference === undefined &&
      resources.test(subject.info.resource) &&
      place.test(ownedField(difference) ?? bodyPlace(difference)),
  };
}
