import { parseFieldSelector } from '../../meta/field-selector.ts';
import type { Exchange } from './exchange.ts';
import { pathSegmentErrors } from './path-segment-name.ts';
import type { RequestPath } from './request-path.ts';

/** The verbs whose field selector can be of one name. A delete of a collection is never of one. */
const selectingVerbs: ReadonlySet<string> = new Set(['list', 'watch']);

/**
 * Returns the target of a request as authorizers and the audit see it: a list or watch that selects
 * one name is a request for that name (promise B51).
 */
export function requestedTarget({ path: { target }, verb, query }: Exchange): RequestPath['target'] {
  if (!target || target.name !== '' || !selectingVerbs.has(verb)) return target;
  const selector = query.get('fieldSelector');
  const name = selector ? nameIn(selector) : '';
  return name === '' || pathSegmentErrors(name).length > 0 ? target : { ...target, name };
}

/** Returns the name that a selector requires. The verb refuses an invalid selector later. */
function nameIn(selector: string): string {
  try {
    return parseFieldSelector(selector).name ?? '';
  } catch {
    return '';
  }
}
