import type { JsonObject } from '../../meta/json-value.ts';
import { loadJose } from './jose-library.ts';
import type { SigningKey } from './token-key.ts';

/** Signs claims and returns the token in compact form. */
export async function signJwt(claims: JsonObject, { id, algorithms, privateKey }: SigningKey): Promise<string> {
  const { CompactSign } = await loadJose();
  const payload = Buffer.from(JSON.stringify(claims));
  return await new CompactSign(payload).setProtectedHeader({ alg: algorithms[0], kid: id }).sign(privateKey);
}
