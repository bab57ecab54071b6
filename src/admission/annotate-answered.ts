import { yieldIfLong } from '../async/yield-if-long.ts';
import { validateQualifiedName } from '../meta/validate-name.ts';
import type { AdmissionAttributes } from './admission.ts';

/**
 * Adds the audit annotations of another server's answer to the record of a request, under a prefix
 * that ends with a slash. One whose name is not valid then is left out, as by kube-apiserver.
 * Returns how many were left out.
 */
export async function annotateAnswered(
  attributes: Pick<AdmissionAttributes, 'annotate'>,
  prefix: string,
  annotations: Iterable<readonly [name: string, value: string]>,
): Promise<number> {
  let startMs = performance.now();
  let dropped = 0;
  for (const [name, value] of annotations) {
    const key = `${prefix}${name}`;
    if (validateQualifiedName(key).length === 0) attributes.annotate(key, value);
    else dropped++;
    // A response can have a hundred thousand.
    const rest = yieldIfLong(startMs);
    if (!rest) continue;
    await rest;
    startMs = performance.now();
  }
  return dropped;
}
