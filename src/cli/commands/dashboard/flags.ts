import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, integer } from '../../../flags/flag-types.ts';
import { section } from '../../shared-flags.ts';

/** Flags of `cl dashboard`. */
export const dashboardFlags = {
  port: {
    type: integer('port', 0, 65_535),
    short: 'p',
    default: 0,
    section,
    help: 'port on the loopback interface; 0 is a free one',
  },
  open: { type: boolean, default: false, section, help: 'open the link in the browser' },
} satisfies FlagTable;
