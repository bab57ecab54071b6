import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ObjectMeta } from '../../gen/types/meta-v1.ts';
import type { Secret, ServiceAccount } from '../../gen/types/core-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';

/** How Secrets with tokens name their account. */
export interface TokenSecrets {
  readonly type: string;
  /** The account that the annotation names; '' without one. */
  accountOf(metadata: ObjectMeta | undefined): string;
  /** True if a Secret is for a token of this account, not of an earlier one of its name. */
  isOf(secret: Secret, account: ServiceAccount): boolean;
  /** The annotations of a Secret for an account. */
  annotations(account: ServiceAccount): Record<string, string>;
}

/** The names in Secrets of an identifier set. */
export function tokenSecrets({ labelDomain }: Identifiers): TokenSecrets {
  const type = `${labelDomain}/service-account-token`;
  const nameKey = `${labelDomain}/service-account.name`;
  const uidKey = `${labelDomain}/service-account.uid`;
  return {
    type,
    accountOf: (metadata) => metadata?.annotations?.[nameKey] ?? '',
    isOf(secret, account) {
      const annotations = secret.metadata?.annotations ?? {};
      const { name, uid } = account.metadata ?? {};
      return (
        secret.type === type && annotations[nameKey] === name && [undefined, '', uid].includes(annotations[uidKey])
      );
    },
    annotations: ({ metadata: { name = '', uid = '' } = {} }) => ({ [nameKey]: name, [uidKey]: uid }),
  };
}

/** The claims of the token in a Secret (spec 5.2). It has no expiry: it ends with the Secret. */
export function tokenClaims(
  { product, labelDomain }: Identifiers,
  secret: Secret,
  account: ServiceAccount,
): JsonObject {
  const { namespace = '', name = '', uid = '' } = account.metadata ?? {};
  const claim = (part: string) => `${labelDomain}/serviceaccount/${part}`;
  return {
    iss: `${product}/serviceaccount`,
    [claim('namespace')]: namespace,
    [claim('secret.name')]: secret.metadata?.name ?? '',
    [claim('service-account.name')]: name,
    [claim('service-account.uid')]: uid,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}
