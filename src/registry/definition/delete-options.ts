/** DeleteOptions merged from body and query, validated. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly orphanDependents?: boolean;
  /** Deletes an object that cannot be read, and no other one. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}
