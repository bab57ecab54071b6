import { badRequest, notServed } from '../../status/status-error.ts';
import type { ResourceTarget, RequestPath } from './request-path.ts';
import { parseFieldSelector } from '../../meta/field-selector.ts';
import type { Exchange } from './exchange.ts';

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

/**
 * Names that a decoded path segment must not be, and characters that it must not contain (promise
 * B53).
 */
const refusedNames: readonly string[] = ['.', '..'];
const refusedCharacters: readonly string[] = ['/', '%'];

/** Matches nearly all valid names, without the checks below. */
const sound = /^[^/%.][^/%]*$/;

/** Returns why a name is invalid in a path or a storage key; empty for a valid name. */
export function pathSegmentErrors(name: string): readonly string[] {
  if (sound.test(name)) return [];
  const whole = refusedNames.filter((refused) => name === refused).map((refused) => `may not be '${refused}'`);
  if (whole.length > 0) return whole;
  return refusedCharacters.filter((refused) => name.includes(refused)).map((refused) => `may not contain '${refused}'`);
}

/**
 * Checks the parts of a resource path that could lead to another key. Throws 400 for an invalid
 * name, 404 for a decoded `/` in the name or an invalid namespace.
 */
export function checkTarget(target: ResourceTarget): void {
  if (target.nested && pathSegmentErrors(target.namespace).length > 0) {
    throw notServed();
  }
  if (target.name.includes('/')) throw notServed();
  const errors = target.name ? pathSegmentErrors(target.name) : [];
  if (errors.length > 0) {
    throw badRequest(`Name parameter invalid: ${JSON.stringify(target.name)}: ${errors.join(';')}`);
  }
}
