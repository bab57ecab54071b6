import { fromBER } from 'asn1js';
import { checkDer } from './check-der.ts';
import { PkiError } from './pki-error.ts';

/** Parses one DER value, strictly. Throws PkiError `InvalidDer`. */
export function parseDer(der: Uint8Array): unknown {
  checkDer(der);
  const { offset, result } = fromBER(Uint8Array.from(der));
  if (offset === -1) throw new PkiError('InvalidDer', `DER value is malformed: ${result.error}`);
  return result;
}
