import type { PodCertificateRequest } from '../../../gen/stored/certificates-v1beta1.ts';
import type { Strategy, SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { builtIn } from '../../built-in.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { allFields, keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { statusSubresource } from '../../subresources.ts';
import { validateNewRequest } from './validate.ts';
import { validateIssue } from './validate-status.ts';

const kept = keepMetadata(allFields);

/** The `status` sub-resource, through which signers decide once. */
const status: SubresourceStrategy<PodCertificateRequest> = {
  ...kept,
  validateUpdate: validateIssue,
};

/** The strategy of requests for certificates of pods. The spec is immutable. */
const strategy: Strategy<PodCertificateRequest> = {
  validateCreate: validateNewRequest,
  validateUpdate: ({ spec }, old) => checkImmutable('spec', spec, old.spec),
  allowUnconditionalUpdate: false,
  generation: false,
  selectableFields: ['spec.signerName', 'spec.podName', 'spec.nodeName'],
  fieldsOf: ({ spec }) => ({
    'spec.signerName': spec.signerName,
    'spec.podName': spec.podName,
    'spec.nodeName': spec.nodeName,
  }),
  subresources: { status },
};

/** The resource `podcertificaterequests` of the group `certificates`. */
export const podCertificateRequests = builtIn<PodCertificateRequest>({
  group: 'certificates',
  resource: 'podcertificaterequests',
  kind: 'PodCertificateRequest',
  namespaced: true,
  versions: {
    v1beta1: { introduced: '1.35', optIn: true, gate: 'PodCertificateRequest' },
    v1alpha1: { introduced: '1.34', gate: 'PodCertificateRequest', deprecated: { since: '1.35', removed: '1.35' } },
  },
  subresources: [statusSubresource],
  strategy,
});
