import { loadJose } from './jose-library.ts';
import type { Jwt } from './read-jwt.ts';
import type { VerificationKey } from './token-key.ts';

/**
 * Reports whether one of the keys signed a token. A token that names a key is tried with that key
 * only; each key is used with its own algorithms, never with one that the token chooses.
 */
export async function verifyJwt(
  { compact, keyId, algorithm }: Jwt,
  keys: readonly VerificationKey[],
): Promise<boolean> {
  const candidates = keys.filter(
    ({ id, algorithms }) => (keyId === '' || id === keyId) && algorithms.includes(algorithm),
  );
  for (const candidate of candidates) {
    if (await isSignedBy(compact, candidate)) return true;
  }
  return false;
}

async function isSignedBy(compact: string, { publicKey, algorithms }: VerificationKey): Promise<boolean> {
  const { compactVerify, errors } = await loadJose();
  try {
    await compactVerify(compact, publicKey, { algorithms: [...algorithms] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}
