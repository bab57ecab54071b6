import { compileSelector, selectorCostLimit } from '../../../cel/devices/compile-selector.ts';
import { ExpressionError } from '../../../cel/values/expression.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';

/** The errors of an expression that selects devices. */
export function selectorErrors(path: string, text: string): readonly FieldError[] {
  try {
    const { maxCost } = compileSelector(text);
    return maxCost > selectorCostLimit ? [forbidden(path, 'too complex, exceeds cost limit')] : [];
  } catch (error) {
    if (error instanceof ExpressionError) return [invalid(path, text, error.message)];
    throw error;
  }
}
