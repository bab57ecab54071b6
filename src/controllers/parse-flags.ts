import { Command, Option } from 'commander';
import { type IdentifierSet, identifierSets } from '../identifiers/identifiers.ts';

/** The flags of the controller manager. */
export interface ControllerManagerFlags {
  readonly identifiers: IdentifierSet;
  readonly clientconfig: string;
  readonly context?: string;
  readonly bindAddress: string;
  readonly healthPort: number;
}

/** Parses arguments (without node and script). Prints a message and exits on `--help` (0) and on a wrong flag (2). */
export function parseFlags(args: readonly string[]): ControllerManagerFlags {
  const parser = new Command('cl-controller-manager')
    .description('Runs the controllers of a control plane, one instance at a time.')
    .requiredOption('--clientconfig <file>', 'how to reach the API server')
    .option('--context <name>', 'the context of the client config')
    .addOption(
      new Option('--identifiers <set>', 'spellings of groups, labels and names')
        .choices([...identifierSets])
        .default('cluster'),
    )
    .option('--bind-address <address>', 'address of the health endpoints', '127.0.0.1')
    .option(
      '--health-port <port>',
      'port of /healthz, /livez and /readyz, over plain HTTP; 0 takes a free one',
      '10257',
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  const flags = parser
    .parse([...args], { from: 'user' })
    .opts<Omit<ControllerManagerFlags, 'healthPort'> & { healthPort: string }>();
  const healthPort = Number(flags.healthPort);
  if (!Number.isInteger(healthPort) || healthPort < 0 || healthPort > 65_535) {
    parser.error(`error: --health-port "${flags.healthPort}" is not a port`);
  }
  return { ...flags, healthPort };
}
