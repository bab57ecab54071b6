import { lateModule } from '../../../package/late-module.ts';
import type { DeviceClaim, DeviceSelector } from '../../../gen/stored/resource-v1.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { tooLong } from '../../../status/field-error.ts';

const loadChecks = lateModule(() => import('./expression-errors.ts'));

/** An expression of a selector, and its path. */
interface PlacedExpression {
  readonly path: string;
  readonly text: string;
}

/** Maximum length of an expression, in bytes. */
const longest = 10_240;

/** The expressions of the requests of a claim. */
export function expressionsOfClaim({ requests }: DeviceClaim, path: string): readonly PlacedExpression[] {
  return (requests ?? []).flatMap(({ exactly, firstAvailable = [] }, index) => {
    const at = `${path}.requests[${index}]`;
    return [
      ...expressionsOf(exactly?.selectors, `${at}.exactly.selectors`),
      ...firstAvailable.flatMap(({ selectors }, nth) =>
        expressionsOf(selectors, `${at}.firstAvailable[${nth}].selectors`),
      ),
    ];
  });
}

/** The expressions of a list of selectors. */
export function expressionsOf(selectors: readonly DeviceSelector[] = [], path: string): readonly PlacedExpression[] {
  return selectors.flatMap(({ cel }, index) =>
    cel ? [{ path: `${path}[${index}].cel.expression`, text: cel.expression }] : [],
  );
}

/**
 * Compiles expressions and returns their errors: in syntax and types, and of those that cost too
 * much. Rejects never.
 */
export async function checkExpressions(expressions: readonly PlacedExpression[]): Promise<readonly FieldError[]> {
  if (expressions.length === 0) return [];
  const { expressionErrors } = await loadChecks();
  return expressions.flatMap(({ path, text }) =>
    Buffer.byteLength(text) > longest ? [tooLong(path, longest)] : expressionErrors(path, text),
  );
}
