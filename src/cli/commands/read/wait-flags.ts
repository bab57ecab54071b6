import type { FlagTable } from '../../../flags/flag-table.ts';
import { text, toggle } from '../../../flags/flag-types.ts';
import { fileFlags } from '../../write-flags.ts';
import { allNamespaces, fieldSelector, filename, printFlags, selector } from '../../shared-flags.ts';

/** Flags of `cl wait`. */
export const waitFlags = {
  for: { type: text('what'), help: 'delete, create, condition=NAME[=VALUE] or jsonpath={PATH}[=VALUE]' },
  timeout: {
    type: text('duration'),
    default: '30s',
    help: 'how long to wait; 0 asks once, a negative one waits for a week',
  },
  all: { type: toggle, help: 'all objects of the type in the namespace' },
  filename,
  recursive: fileFlags.recursive,
  local: { type: toggle, help: 'look at the objects of -f as they are, without a server; nothing is waited for' },
  allNamespaces,
  selector,
  fieldSelector,
  ...printFlags,
} satisfies FlagTable;
