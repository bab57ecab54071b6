import type { Secret, ServiceAccount } from '../../gen/types/core-v1.ts';
import type { TokenSecrets } from './token-secret.ts';

/** The content of Secrets for tokens. */
export interface SecretContent {
  /** PEM. */
  readonly rootCa: string | undefined;
  readonly sign: (secret: Secret, account: ServiceAccount) => Promise<string>;
}

/** The calls of `reconcileSecret`. */
interface SecretCalls extends SecretContent {
  readonly names: TokenSecrets;
  readonly account: (name: string) => Promise<ServiceAccount | undefined>;
  readonly update: (secret: Secret) => Promise<unknown>;
  readonly remove: () => Promise<void>;
}

/**
 * Adds the fields that a Secret for a token lacks: the token, the namespace, the CA of the server
 * and the uid of the account. Deletes it if its account is gone.
 */
export async function reconcileSecret(secret: Secret, calls: SecretCalls): Promise<void> {
  const { names } = calls;
  const account = await calls.account(names.accountOf(secret.metadata));
  if (!account || !names.isOf(secret, account)) return calls.remove();
  const { data = {} } = secret;
  const wanted = await tokenData(secret, account, calls);
  if (Object.entries(wanted).every(([key, value]) => data[key] === value)) return;
  const annotations = { ...secret.metadata?.annotations, ...names.annotations(account) };
  await calls.update({ ...secret, metadata: { ...secret.metadata, annotations }, data: wanted });
}

/** The data of a Secret for a token, with the missing fields added. */
export async function tokenData(
  secret: Secret,
  account: ServiceAccount,
  { rootCa, sign }: SecretContent,
): Promise<Record<string, string>> {
  const { data = {}, metadata } = secret;
  return {
    ...data,
    ...(rootCa === undefined ? {} : { 'ca.crt': base64(rootCa) }),
    namespace: data['namespace'] || base64(metadata?.namespace ?? ''),
    token: data['token'] || base64(await sign(secret, account)),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
