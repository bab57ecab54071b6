import type { PodCertificateRequest } from '../../../gen/stored/certificates-v1beta1.ts';
import type { Column } from '../../../codec/table.ts';
import { formatLabels, nameColumn, textColumn } from '../../columns/column.ts';
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
  // A write of the object may own the status, and one of the status the metadata: neither changes.
  resetFields: () => ({ '': [], status: [['f:spec']] }),
  subresources: { status },
};

/** The columns of requests for certificates of pods. */
const columns: readonly Column<PodCertificateRequest>[] = [
  nameColumn,
  textColumn('PodName', 'Name of the pod.', ({ spec }) => spec.podName),
  textColumn('ServiceAccountName', 'Service account of the pod.', ({ spec }) => spec.serviceAccountName),
  textColumn('NodeName', 'Node of the pod.', ({ spec }) => spec.nodeName),
  textColumn('SignerName', 'Signer that is asked.', ({ spec }) => spec.signerName),
  textColumn('State', 'Decision of the signer: Issued, Denied or Failed; Pending before it.', (request) => {
    const decided = (request.status.conditions ?? []).filter(({ type }) =>
      ['Issued', 'Denied', 'Failed'].includes(type),
    );
    return decided.at(-1)?.type ?? 'Pending';
  }),
  textColumn('UnverifiedUserAnnotations', 'Annotations for the signer, which nobody has verified.', ({ spec }) =>
    formatLabels(spec.unverifiedUserAnnotations),
  ),
];

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
  columns,
  strategy,
});
