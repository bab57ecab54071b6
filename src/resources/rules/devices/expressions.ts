import { pacer } from '../../../admission/expressions/pacer.ts';
import { lazyModule } from '../../../package/lazy-module.ts';
import { claimLimits } from './check-device-claim.ts';
import { requestLimit } from './request-names.ts';
import type { DeviceClaim, DeviceSelector } from '../../../gen/stored/resource-v1.ts';
import { collectedErrorLimit } from '../../../status/all-errors.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { tooLong } from '../../../status/field-error.ts';

const loadChecks = lazyModule(() => import('./selector-errors.ts'));

/** An expression of a selector, and its path. */
interface PlacedExpression {
  readonly path: string;
  readonly text: string;
}

/** Maximum length of an expression, in bytes. */
const longest = 10_240;

/** The expressions of the requests of a claim. */
export function expressionsOfClaim({ requests }: DeviceClaim, path: string): readonly PlacedExpression[] {
  return within(requestLimit, requests).flatMap(({ exactly, firstAvailable }, index) => {
    const at = `${path}.requests[${index}]`;
    return [
      ...expressionsOf(exactly?.selectors, `${at}.exactly.selectors`),
      ...within(claimLimits.alternatives, firstAvailable).flatMap(({ selectors }, nth) =>
        expressionsOf(selectors, `${at}.firstAvailable[${nth}].selectors`),
      ),
    ];
  });
}

/** The expressions of a list of selectors. */
export function expressionsOf(
  selectors: readonly DeviceSelector[] | undefined,
  path: string,
): readonly PlacedExpression[] {
  return within(claimLimits.selectors, selectors).flatMap(({ cel }, index) =>
    cel ? [{ path: `${path}[${index}].cel.expression`, text: cel.expression }] : [],
  );
}

/**
 * The items of a list, or none if the list is too long, because then only its length is reported.
 */
function within<Item>(limit: number, items: readonly Item[] | null | undefined): readonly Item[] {
  return items && items.length <= limit ? items : [];
}

/**
 * Compiles expressions and returns their errors: syntax, types, and excessive cost. Other requests
 * run between them. Never rejects.
 */
export async function checkExpressions(expressions: readonly PlacedExpression[]): Promise<readonly FieldError[]> {
  if (expressions.length === 0) return [];
  const { selectorErrors } = await loadChecks();
  const rest = pacer();
  const errors: FieldError[] = [];
  for (const { path, text } of expressions) {
    errors.push(...(Buffer.byteLength(text) > longest ? [tooLong(path, longest)] : selectorErrors(path, text)));
    if (errors.length >= collectedErrorLimit) break;
    await rest();
  }
  return errors;
}
