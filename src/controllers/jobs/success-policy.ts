import type { SuccessPolicyRule } from '../../gen/types/batch-v1.ts';
import type { Job } from '../resources.ts';
import { parseIndexes } from './completed-indexes.ts';

/** The message about the first rule of a Job that its completed indexes satisfy, if one does. */
export function satisfiedRule({ spec }: Job, completed: ReadonlySet<number>): string | undefined {
  const { completions = 0, successPolicy } = spec;
  const index = (successPolicy?.rules ?? []).findIndex((rule) => isSatisfied(rule, completed, completions));
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}

function isSatisfied(rule: SuccessPolicyRule, completed: ReadonlySet<number>, completions: number): boolean {
  const { succeededIndexes, succeededCount } = rule;
  if (succeededIndexes === undefined) return completed.size >= (succeededCount ?? Number.POSITIVE_INFINITY);
  const wanted = parseIndexes(succeededIndexes, completions);
  const reached = [...wanted].filter((each) => completed.has(each)).length;
  return reached >= (succeededCount ?? wanted.size);
}
