import type { EnvironmentOf } from '../../../admission/expressions/compile-expression.ts';
import { environmentOfNew, storedEnvironment } from '../../../cel/functions/environment.ts';
import type { JsonValue } from '../../../meta/json-value.ts';
import { minorOf } from '../../../scheme/api-release.ts';

/**
 * Returns which environment each expression of a policy or webhook uses. New expressions have the
 * functions of the previous release, expressions of the replaced object have all functions.
 */
export function environmentsOf(release: string, old: unknown): EnvironmentOf {
  const minor = minorOf(release);
  const kept = new Set<string>();
  collectExpressions(old as JsonValue | undefined, kept);
  return (text, options) => (kept.has(text) ? storedEnvironment(options) : environmentOfNew(minor, options));
}

const expressionFields: ReadonlySet<string> = new Set(['expression', 'messageExpression', 'valueExpression']);

/** Collects the expressions in a value, as written and trimmed. */
function collectExpressions(value: JsonValue | undefined, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    if (typeof part !== 'string') collectExpressions(part, found);
    else if (expressionFields.has(name)) found.add(part).add(part.trim());
  }
}
