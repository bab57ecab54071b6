import { badRequest, notServed } from '../../status/status-error.ts';
import type { ResourceTarget } from './request-path.ts';

/** Names that a path segment may not be, and characters that it may not hold, once decoded (promise B53). */
const refusedNames: readonly string[] = ['.', '..'];
const refusedCharacters: readonly string[] = ['/', '%'];

/** Names that none of the above can be said of; nearly all are such. */
const sound = /^[^/%.][^/%]*$/;

/** Why a name cannot stand in a path or a storage key; empty when it can. */
export function pathSegmentErrors(name: string): readonly string[] {
  if (sound.test(name)) return [];
  const whole = refusedNames.filter((refused) => name === refused).map((refused) => `may not be '${refused}'`);
  if (whole.length > 0) return whole;
  return refusedCharacters.filter((refused) => name.includes(refused)).map((refused) => `may not contain '${refused}'`);
}

/**
 * Refuses parts of a resource path that could reach another key: 400 for a name, and 404 where a decoded `/` or a
 * namespace makes the path one that nothing is served at.
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
