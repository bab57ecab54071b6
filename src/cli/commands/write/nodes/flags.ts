import type { FlagTable } from '../../../../flags/flag-table.ts';
import { boolean, integer, text } from '../../../../flags/flag-types.ts';
import { section, selector } from '../../../shared-flags.ts';
import { fieldManager, resultFlags, timeout, validationFlags } from '../../../write-flags.ts';

/** Flags of `cl cordon` and `cl uncordon`. */
export const cordonFlags = { selector, dryRun: resultFlags.dryRun } satisfies FlagTable;

/** Flags of `cl taint`. */
export const taintFlags = {
  selector,
  all: { type: boolean, default: false, section, help: 'all nodes' },
  overwrite: { type: boolean, default: false, section, help: 'change taints that are set' },
  ...resultFlags,
  ...validationFlags,
  fieldManager: fieldManager('cl-taint'),
} satisfies FlagTable;

/** Flags of `cl drain`. */
export const drainFlags = {
  selector,
  podSelector: {
    flag: 'pod-selector',
    type: text('selector'),
    default: undefined,
    section,
    help: 'only pods with these labels',
  },
  force: { type: boolean, default: false, section, help: 'also pods that no controller would create again' },
  ignoreDaemonsets: {
    flag: 'ignore-daemonsets',
    type: boolean,
    default: false,
    section,
    help: 'leave the pods of DaemonSets, which would come back at once',
  },
  deleteEmptydirData: {
    flag: 'delete-emptydir-data',
    type: boolean,
    default: false,
    section,
    help: 'also pods that lose files with it (emptyDir)',
  },
  disableEviction: {
    flag: 'disable-eviction',
    type: boolean,
    default: false,
    section,
    help: 'delete pods, whatever the disruption budgets say',
  },
  gracePeriod: {
    flag: 'grace-period',
    type: integer('seconds', -1),
    default: -1,
    section,
    help: 'seconds for pods to end in; -1 is what each says',
  },
  skipWaitForDeleteTimeout: {
    flag: 'skip-wait-for-delete-timeout',
    type: integer('seconds'),
    default: 0,
    section,
    help: 'do not wait for pods that have been ending for so long; 0 waits for all',
  },
  chunkSize: {
    flag: 'chunk-size',
    type: integer('number'),
    default: 500,
    section,
    help: 'accepted because other clients have it; lists come in pages of 500',
  },
  timeout,
  dryRun: resultFlags.dryRun,
} satisfies FlagTable;
