import type { FlagTable } from '../../flags/flag-table.ts';
import { duration, text } from '../../flags/flag-types.ts';

const section = 'Certificates';

/** The flags of the CAs that sign certificates: one for all signers, or one for each. */
export const signingFlags = {
  'cluster-signing-cert-file': certificateFile('CA that signs the certificates of all signers'),
  'cluster-signing-key-file': keyFile('CA that signs the certificates of all signers'),
  'cluster-signing-client-cert-file': certificateFile('CA of client certificates, in place of the common one'),
  'cluster-signing-client-key-file': keyFile('CA of client certificates'),
  'cluster-signing-node-client-cert-file': certificateFile('CA of client certificates of nodes'),
  'cluster-signing-node-client-key-file': keyFile('CA of client certificates of nodes'),
  'cluster-signing-node-serving-cert-file': certificateFile('CA of serving certificates of nodes'),
  'cluster-signing-node-serving-key-file': keyFile('CA of serving certificates of nodes'),
  'cluster-signing-legacy-unknown-cert-file': certificateFile('CA of the signer legacy-unknown'),
  'cluster-signing-legacy-unknown-key-file': keyFile('CA of the signer legacy-unknown'),
  'cluster-signing-duration': {
    type: duration({ positive: true }),
    default: 365 * 24 * 3600_000,
    section,
    help: 'longest lifetime of signed certificates',
  },
} as const satisfies FlagTable;

function certificateFile(of: string) {
  return { type: text('file'), default: undefined, section, help: `PEM of the ${of}` };
}

function keyFile(of: string) {
  return { type: text('file'), default: undefined, section, help: `PEM of the key of the ${of}` };
}
