import type { Expression } from '../../cel/values/expression.ts';

/** A condition, and the message if it does not hold. */
export interface CheckedRule {
  readonly expression: Expression;
  readonly message: string;
}

/** The expressions that name and check users of an issuer, over its `claims` or over the `user`. */
export interface ClaimExpressions {
  readonly username: Expression | undefined;
  readonly groups: Expression | undefined;
  readonly uid: Expression | undefined;
  readonly extra: readonly { readonly key: string; readonly value: Expression }[];
  readonly claimRules: readonly CheckedRule[];
  readonly userRules: readonly CheckedRule[];
}
