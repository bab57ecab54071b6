import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { choice, integer, text } from '../flags/flag-types.ts';
import { readFlags } from '../flags/read-flags.ts';
import { identifierSets } from '../identifiers/identifiers.ts';

const general = 'General';
const health = 'Health';

const flags = {
  clientconfig: {
    type: text('file'),
    default: undefined,
    required: true,
    section: general,
    help: 'client config file with the address and credentials of the API server',
  },
  context: {
    type: text('name'),
    default: undefined,
    section: general,
    help: 'context of the client config; default: the current one',
  },
  identifiers: {
    type: choice('set', identifierSets),
    default: 'cluster',
    section: general,
    help: `names of API groups, well-known labels and system objects (as the API server has them): ${identifierSets.join(' or ')}`,
  },
  'bind-address': {
    type: text('address'),
    default: '127.0.0.1',
    section: health,
    help: 'address on which the health endpoints listen',
  },
  'health-port': {
    type: integer('port', 0, 65_535),
    default: 10_257,
    section: health,
    help: 'port of /healthz, /livez and /readyz, over plain HTTP; 0 uses a free port',
  },
} as const satisfies FlagTable;

const program = {
  name: 'cl-controller-manager',
  description: 'Runs the controllers of a control plane, one instance at a time.',
  flags,
};

/** The values of the controller manager's flags. */
export type ControllerManagerFlags = FlagValues<typeof flags>;

/**
 * Parses arguments (without node and script). Prints a message and exits on `--help` (0) and on an
 * invalid flag (2).
 */
export function parseFlags(args: readonly string[]): ControllerManagerFlags {
  return readFlags(program, [], args);
}
