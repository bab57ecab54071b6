import { CompactSign } from 'jose';

/** A bootstrap token: `<id>.<secret>`. */
interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
}

/**
 * A JWS (HS256) by a bootstrap token, or by its secret alone, over a text, without the text (RFC
 * 7515 appendix F).
 */
export async function signDetached(
  payload: string,
  { id, secret }: BootstrapToken,
  key: 'token' | 'secret',
): Promise<string> {
  const jws = await new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg: 'HS256', kid: id })
    .sign(Buffer.from(key === 'token' ? `${id}.${secret}` : secret));
  const [header, , signature] = jws.split('.');
  return `${header}..${signature}`;
}
