import type { CertificateSigningRequest } from '../../../gen/stored/certificates-v1.ts';
import { builtIn } from '../../built-in.ts';
import { approval, statusSubresource } from '../../subresources.ts';
import { requestConversion } from './convert.ts';
import { strategy } from './strategy.ts';
import type { Column } from '../../../codec/table.ts';
import { humanDuration } from '../../../meta/human-duration.ts';
import { orNone, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';

/** The columns of certificate signing requests. */
const columns: readonly Column<CertificateSigningRequest>[] = [
  nameColumn,
  ageColumn,
  textColumn('SignerName', 'Signer that the request is for.', ({ spec }) => orNone(spec.signerName)),
  textColumn('Requestor', 'User that made the request.', ({ spec }) => spec.username ?? ''),
  {
    ...textColumn('RequestedDuration', 'Lifetime of the certificate that the request asks for.', requestedDuration),
    since: '1.22',
  },
  textColumn('Condition', 'Decision on the request, and whether the certificate was issued.', condition),
];

function requestedDuration({ spec: { expirationSeconds } }: CertificateSigningRequest): string {
  return orNone(expirationSeconds === undefined ? '' : humanDuration(expirationSeconds * 1000));
}

/** `Pending`, `Approved`, `Denied`; followed by `Failed` and `Issued`. */
function condition({ status }: CertificateSigningRequest): string {
  const types = new Set(status.conditions?.map(({ type }) => type));
  return [
    ['Denied', 'Approved'].find((decision) => types.has(decision)) ?? 'Pending',
    ...(types.has('Failed') ? ['Failed'] : []),
    ...(status.certificate ? ['Issued'] : []),
  ].join(',');
}

/** The resource `certificatesigningrequests` of the group `certificates`. */
export const certificateSigningRequests = builtIn<CertificateSigningRequest>({
  group: 'certificates',
  resource: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  versions: {
    v1: { introduced: '1.19' },
    v1beta1: {
      introduced: '1.6',
      deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' },
      conversion: requestConversion,
    },
  },
  shortNames: ['csr'],
  subresources: [approval, statusSubresource],
  columns,
  strategy,
});
