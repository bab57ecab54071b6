import { environmentOfNew, fullEnvironment } from '../../cel/functions/environment.ts';
import type { CustomResourceDefinitionSpec } from '../../gen/stored/apiextensions-v1.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt } from '../../meta/read-field.ts';
import { minorOf } from '../../scheme/api-release.ts';
import type { EnvironmentOf } from './compile-rules.ts';
import { rulesOf } from './validation-rule.ts';

/** Older releases are not told apart: their rules may use everything. */
const firstRelease = 27;

/**
 * The environments of a definition's expressions in a release: new ones have the libraries of the
 * release before it, those that the definition had already have everything.
 */
export function environmentsOf(release: string, old: CustomResourceDefinitionSpec | undefined): EnvironmentOf {
  const minor = minorOf(release);
  if (minor < firstRelease) return fullEnvironment;
  const kept = { rule: new Set<string>(), messageExpression: new Set<string>() };
  for (const { schema } of old?.versions ?? []) collectExpressions(schema?.openAPIV3Schema ?? {}, kept);
  return (part, text) => (kept[part].has(text) ? fullEnvironment() : environmentOfNew(minor));
}

function collectExpressions(
  schema: JsonObject,
  kept: Readonly<Record<'rule' | 'messageExpression', Set<string>>>,
): void {
  for (const { rule, messageExpression } of rulesOf(schema).rules) {
    kept.rule.add(rule);
    kept.messageExpression.add(messageExpression);
  }
  const parts = [...Object.values(objectAt(schema, 'properties')), schema['items'], schema['additionalProperties']];
  for (const part of [...parts.filter(isJsonObject), ...objectsAt(schema, 'allOf')]) collectExpressions(part, kept);
}
