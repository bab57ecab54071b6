import type { FieldPath } from './field-path.ts';

/** Fields of metadata that the server sets. */
const serverFields: ReadonlySet<string> = new Set([
  'clusterName',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Fields that an object keeps. */
const fixedFields: ReadonlySet<string> = new Set(['name', 'namespace', 'generateName']);

/**
 * Reports whether a form cannot change a field: the type, the status, and what the server sets; of
 * an object that exists its name too.
 */
export function isLocked([first, second]: FieldPath, exists: boolean): boolean {
  if (first === 'apiVersion' || first === 'kind' || first === 'status') return true;
  if (first !== 'metadata' || typeof second !== 'string') return false;
  return serverFields.has(second) || (exists && fixedFields.has(second));
}
