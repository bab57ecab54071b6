import type { Secret, ServiceAccount } from '../../gen/types/core-v1.ts';
import type { TokenSecrets } from './token-secret.ts';

/** The calls of `reconcileSecret`. */
interface SecretCalls {
  readonly names: TokenSecrets;
  /** PEM. */
  readonly rootCa: string | undefined;
  readonly account: (name: string) => Promise<ServiceAccount | undefined>;
  readonly sign: (secret: Secret, account: ServiceAccount) => Promise<string>;
  readonly update: (secret: Secret) => Promise<unknown>;
  readonly remove: () => Promise<void>;
}

/**
 * Adds what a Secret for a token lacks: the token, the namespace, the CA of the server and the uid
 * of the account. Deletes it if its account is gone.
 */
export async function reconcileSecret(secret: Secret, calls: SecretCalls): Promise<void> {
  const { names, rootCa } = calls;
  const { namespace = '', annotations = {} } = secret.metadata ?? {};
  const account = await calls.account(names.accountOf(secret.metadata));
  if (!account || !names.isOf(secret, account)) return calls.remove();
  const { data = {} } = secret;
  const wanted = {
    ...data,
    ...(rootCa === undefined ? {} : { 'ca.crt': base64(rootCa) }),
    namespace: data['namespace'] || base64(namespace),
    token: data['token'] || base64(await calls.sign(secret, account)),
  };
  const own = names.annotations(account);
  const isComplete =
    Object.entries(wanted).every(([key, value]) => data[key] === value) &&
    Object.entries(own).every(([key, value]) => annotations[key] === value);
  if (isComplete) return;
  await calls.update({
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...annotations, ...own } },
    data: wanted,
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
