import type { EnvironmentOf } from '../../../admission/expressions/compile-expression.ts';
import { environmentOfNew, storedEnvironment } from '../../../cel/functions/environment.ts';
import type { JsonValue } from '../../../meta/json-value.ts';
import { minorOf } from '../../../scheme/api-release.ts';

/**
 * The environments of the expressions of a policy or webhook in a release: new ones have the
 * functions of the release before it, those that the replaced object had already have all.
 */
export function environmentsOf(release: string, old: unknown): EnvironmentOf {
  const minor = minorOf(release);
  const kept = new Set<string>();
  collectExpressions(old as JsonValue | undefined, kept);
  return (text, options) => (kept.has(text) ? storedEnvironment(options) : environmentOfNew(minor, options));
}

const expressionFields: ReadonlySet<string> = new Set(['expression', 'messageExpression', 'valueExpression']);

/** Collects expressions as they are written and as they are compiled. */
function collectExpressions(value: JsonValue | undefined, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    if (typeof part !== 'string') collectExpressions(part, found);
    else if (expressionFields.has(name)) found.add(part).add(part.trim());
  }
}
