import type { CertificateSigningRequest } from '../../../gen/stored/certificates-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { approval, status } from '../../subresources.ts';
import { requestConversion } from './convert.ts';
import { strategy } from './strategy.ts';

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
  subresources: [approval, status],
  columns,
  laterFields: { 'spec.expirationSeconds': '1.22' },
  strategy,
});
