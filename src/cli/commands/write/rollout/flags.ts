import type { FlagTable } from '../../../../flags/flag-table.ts';
import { boolean, integer } from '../../../../flags/flag-types.ts';
import { printFlags, selector } from '../../../shared-flags.ts';
import { fieldManager, fileFlags, resultFlags, timeout } from '../../../write-flags.ts';

/** Flags of `cl rollout pause`, `resume` and `restart`. */
export const rolloutFlags = {
  ...fileFlags,
  selector,
  ...resultFlags,
  fieldManager: fieldManager('cl-rollout'),
} satisfies FlagTable;

/** Flags of `cl rollout undo`. */
export const undoFlags = {
  ...fileFlags,
  selector,
  ...resultFlags,
  toRevision: { type: integer('revision'), default: 0, help: 'the revision to go back to; 0 is the one before' },
} satisfies FlagTable;

/** Flags of `cl rollout history`. */
export const historyFlags = {
  ...fileFlags,
  selector,
  ...printFlags,
  revision: { type: integer('revision'), default: 0, help: 'show this revision; 0 lists all' },
} satisfies FlagTable;

/** Flags of `cl rollout status`. */
export const statusFlags = {
  ...fileFlags,
  selector,
  revision: { type: integer('revision'), default: 0, help: 'fail if another revision is rolled out meanwhile' },
  timeout,
  watch: { type: boolean, short: 'w', default: true, help: 'wait until it has ended' },
} satisfies FlagTable;
