import type { ServerOptions } from '../../config/server-options.ts';
import type { LogComponent } from '../../config/flags/log-components.ts';

/** The level names of pino. */
type LevelName = ServerOptions['logLevel'];

/** The verbosity from which each request is logged. */
export const requestVerbosity = 3;

/** The verbosity from which details are logged. */
const detailVerbosity = 4;

type LevelOptions = Pick<ServerOptions, 'logLevel' | 'logVerbosity' | 'logVerbosityByComponent'>;

/** The verbosity of a component: its own, or the general one. */
export function verbosityOf(
  { logVerbosity, logVerbosityByComponent }: Omit<LevelOptions, 'logLevel'>,
  component: LogComponent,
): number {
  return logVerbosityByComponent[component] ?? logVerbosity;
}

/** The least severe level that a component logs. */
export function levelOf(options: LevelOptions, component: LogComponent): LevelName {
  const { logLevel } = options;
  if (logLevel === 'silent' || verbosityOf(options, component) < detailVerbosity) return logLevel;
  return 'debug';
}
