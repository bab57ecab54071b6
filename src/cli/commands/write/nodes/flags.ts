import type { FlagTable } from '../../../../flags/flag-table.ts';
import { integer, text, toggle } from '../../../../flags/flag-types.ts';
import { selector } from '../../../shared-flags.ts';
import { fieldManager, resultFlags, timeout, validationFlags } from '../../../write-flags.ts';

/** Flags of `cl cordon` and `cl uncordon`. */
export const cordonFlags = { selector, dryRun: resultFlags.dryRun } satisfies FlagTable;

/** Flags of `cl taint`. */
export const taintFlags = {
  selector,
  all: { type: toggle, help: 'all nodes' },
  overwrite: { type: toggle, help: 'change taints that are set' },
  ...resultFlags,
  ...validationFlags,
  fieldManager: fieldManager('cl-taint'),
} satisfies FlagTable;

/** Flags of `cl drain`. */
export const drainFlags = {
  selector,
  podSelector: { type: text('selector'), help: 'only pods with these labels' },
  force: { type: toggle, help: 'also pods that no controller would create again' },
  ignoreDaemonsets: { type: toggle, help: 'leave the pods of DaemonSets, which would come back at once' },
  deleteEmptydirData: { type: toggle, help: 'also pods that lose files with it (emptyDir)' },
  disableEviction: { type: toggle, help: 'delete pods, whatever the disruption budgets say' },
  gracePeriod: { type: integer('seconds', -1), default: -1, help: 'seconds for pods to end in; -1 is what each says' },
  skipWaitForDeleteTimeout: {
    type: integer('seconds'),
    default: 0,
    help: 'do not wait for pods that have been ending for so long; 0 waits for all',
  },
  chunkSize: {
    type: integer('number'),
    default: 500,
    help: 'accepted because other clients have it; lists come in pages of 500',
  },
  timeout,
  dryRun: resultFlags.dryRun,
} satisfies FlagTable;
