import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The finalizer that keeps a definition until its objects are gone. */
export function cleanupFinalizer({ apiDomain }: Identifiers): string {
  return `customresourcecleanup.apiextensions.${apiDomain}`;
}

/** Reports whether a finalizer is that one, under any identifiers. */
export function isCleanupFinalizer(finalizer: string): boolean {
  return finalizer.startsWith('customresourcecleanup.apiextensions.');
}
