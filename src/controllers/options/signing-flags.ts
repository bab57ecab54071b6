import { inSection } from '../../flags/flag-table.ts';
import { duration, text } from '../../flags/flag-types.ts';

/** The flags of the CAs that sign certificates: one for all signers, or one for each. */
export const signingFlags = inSection('Certificates', {
  'cluster-signing-cert-file': pemFile('CA that signs the certificates of all signers'),
  'cluster-signing-key-file': pemFile('key of the CA that signs the certificates of all signers'),
  'cluster-signing-client-cert-file': pemFile('CA of client certificates, in place of the common one'),
  'cluster-signing-client-key-file': pemFile('key of the CA of client certificates'),
  'cluster-signing-node-client-cert-file': pemFile('CA of client certificates of nodes'),
  'cluster-signing-node-client-key-file': pemFile('key of the CA of client certificates of nodes'),
  'cluster-signing-node-serving-cert-file': pemFile('CA of serving certificates of nodes'),
  'cluster-signing-node-serving-key-file': pemFile('key of the CA of serving certificates of nodes'),
  'cluster-signing-legacy-unknown-cert-file': pemFile('CA of the signer legacy-unknown'),
  'cluster-signing-legacy-unknown-key-file': pemFile('key of the CA of the signer legacy-unknown'),
  'cluster-signing-duration': {
    type: duration({ positive: true }),
    default: 365 * 24 * 3600_000,
    help: 'longest lifetime of signed certificates',
  },
});

function pemFile(of: string) {
  return { type: text('file'), help: `PEM of the ${of}` };
}
