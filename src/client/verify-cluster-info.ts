import { lazyModule } from '../package/lazy-module.ts';
/** The data of the ConfigMap `cluster-info`, and the bootstrap token `<id>.<secret>`. */
export interface ClusterInfoOptions {
  readonly data: Readonly<Record<string, string>>;
  readonly token: string;
  /** The key of the client config: `clientconfig`, or the name that Kubernetes gives it. */
  readonly key: string;
}

/**
 * Returns the client config of `cluster-info` after it has verified that the holder of a bootstrap
 * token signed it: a new node trusts the CA in it, although it reads it from a server that it does
 * not know yet. Throws TypeError if there is no valid signature by the token.
 *
 * @example
 * const reference = { group: '', version: 'v1', resource: 'configmaps' };
 * const info = await client.resource(reference).get('cluster-info', { namespace: 'cl-public' });
 * const token = 'abcdef.0123456789abcdef';
 * const text = await verifyClusterInfo({ data: info.data, token, key: 'clientconfig' });
 */
export async function verifyClusterInfo({ data, token, key }: ClusterInfoOptions): Promise<string> {
  const [id = '', secret = ''] = token.split('.');
  // Anyone could have signed with an empty secret.
  if (secret === '') throw new TypeError('a bootstrap token has the form <id>.<secret>');
  const payload = data[key];
  const signature = data[`jws-${key}-${id}`];
  if (payload === undefined || signature === undefined) {
    throw new TypeError(`cluster-info has no client config that the token ${id} signed`);
  }
  const [header = '', detached, value = '', ...rest] = signature.split('.');
  if (detached !== '' || rest.length > 0) throw new TypeError(`the signature of the token ${id} is malformed`);
  const jws = `${header}.${Buffer.from(payload).toString('base64url')}.${value}`;
  try {
    // Kubernetes signs with the secret of the token alone.
    await Promise.any([token, secret].map((signer) => verifyJws(jws, signer)));
  } catch (cause) {
    throw new TypeError(`the token ${id} did not sign this client config`, { cause });
  }
  return payload;
}

const loadJose = lazyModule(() => import('jose'));

async function verifyJws(jws: string, secret: string): Promise<void> {
  const { compactVerify } = await loadJose();
  // Another algorithm might need no secret.
  await compactVerify(jws, Buffer.from(secret), { algorithms: ['HS256'] });
}
