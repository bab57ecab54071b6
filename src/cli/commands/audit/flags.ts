import type { FlagTable } from '../../../flags/flag-table.ts';
import { choice, integer, list, repeated, text, toggle } from '../../../flags/flag-types.ts';
import { planeFlags } from '../start/flags.ts';

/** Flags of `cl audit tail`. */
export const auditTailFlags = {
  ...planeFlags,
  follow: { type: toggle, short: 'f', help: 'show new requests until interrupted' },
  tail: { type: integer('number'), default: 20, help: 'how many of the last requests are shown first' },
  users: {
    flag: 'user',
    type: repeated(text('name')),
    default: [] as readonly string[],
    help: 'only requests of this user, or of one who acts as this user; can be repeated',
  },
  verbs: {
    flag: 'verb',
    type: list('verbs'),
    default: [] as readonly string[],
    help: 'only these verbs: create,update,patch,delete',
  },
  resources: {
    flag: 'resource',
    type: list('types'),
    default: [] as readonly string[],
    help: 'only these types, with their sub-resources, or one of these: deployments.apps,pods/log',
  },
  statuses: {
    flag: 'status',
    type: list('codes'),
    default: [] as readonly string[],
    help: 'only responses with these codes: 403,5xx,400-499',
  },
  output: { type: choice('format', ['json']), short: 'o', help: 'json: the events of the log, one a line' },
} satisfies FlagTable;
