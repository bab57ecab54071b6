import type { FlagTable } from '../../../flags/flag-table.ts';
import { integer, toggle } from '../../../flags/flag-types.ts';

/** Flags of `cl dashboard`. */
export const dashboardFlags = {
  port: {
    type: integer('port', 0, 65_535),
    short: 'p',
    default: 0,
    help: 'port on the loopback interface; 0 is a free one',
  },
  open: { type: toggle, help: 'open the link in the browser' },
} satisfies FlagTable;
