import type { ServiceAccount } from '../../../gen/stored/core-v1.ts';

/** The parts of a service account that admission reads. */
export interface KnownAccount {
  readonly name: string;
  readonly uid: string;
  /** The names of the secrets that its Pods may mount, in order. */
  readonly secrets: readonly string[];
  readonly imagePullSecrets: readonly string[];
  /** Undefined if the account leaves it to the Pod. */
  readonly automount: boolean | undefined;
  /** True if its Pods may use no other secrets than its own. */
  readonly limitsSecrets: boolean;
}

/** The texts that Go parses as true. */
const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

/** Reads a service account; `annotation` is the one that limits the secrets of its Pods. */
export function readAccount(account: ServiceAccount, annotation: string): KnownAccount {
  const { name = '', uid = '', annotations } = account.metadata;
  return {
    name,
    uid,
    secrets: (account.secrets ?? []).map((secret) => secret.name ?? ''),
    imagePullSecrets: (account.imagePullSecrets ?? []).map((secret) => secret.name ?? ''),
    automount: account.automountServiceAccountToken,
    limitsSecrets: trueTexts.has(annotations?.[annotation] ?? ''),
  };
}
