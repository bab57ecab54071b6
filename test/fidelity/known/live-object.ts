import { parse as parseYaml } from 'yaml';
import type { JsonValue } from '../../../src/meta/json-value.ts';
import { textAt, valueAt } from '../json-paths.ts';
import type { SequenceStep } from '../sequence.ts';
import type { Exchange } from './known-difference.ts';

/** An object as each server answered with it last; null where none of the earlier answers had it. */
export interface LiveObject {
  readonly reference: JsonValue;
  readonly ours: JsonValue;
}

/** The object that a step is about, as it was before the step. */
export function liveBefore({ step, earlier }: Exchange): LiveObject {
  const path = objectPath(step);
  // An object with several versions has several paths.
  const isSame = ({ step: other }: Exchange): boolean =>
    step.object === undefined ? objectPath(other) === path : other.object === step.object;
  const last = (earlier ?? []).findLast((exchange) => isSame(exchange) && hasObject(exchange));
  return { reference: last?.reference.body ?? null, ours: last?.ours.body ?? null };
}

/** What a step sends, whether as a value or as text; null for a step without a body, and for text that is none. */
export function documentOf({ body, text }: SequenceStep): JsonValue {
  if (text === undefined) return body ?? null;
  try {
    return (parseYaml(text) as JsonValue | undefined) ?? null;
  } catch {
    return null;
  }
}

/** Path of the object that a step is about, without the name of a sub-resource. */
export function objectPath(step: SequenceStep): string {
  if (step.method !== 'POST') return step.path.replace(/\/(?:status|scale|approval|finalize|token|eviction)$/, '');
  return `${step.path}/${textAt(documentOf(step), ['metadata', 'name'])}`;
}

function hasObject({ step, reference, ours }: Exchange): boolean {
  if (step.query?.['dryRun'] !== undefined || step.path.endsWith('/scale')) return false;
  return [reference, ours].every(
    ({ status, body }) => status < 300 && valueAt(body, ['metadata', 'uid']) !== undefined,
  );
}
