import type { LogLevel, LogOptions } from './program-log-options.ts';

/** The verbosity from which each request is logged. */
export const requestVerbosity = 3;

/** The verbosity from which details are logged. */
const detailVerbosity = 4;

/** The verbosity of a component: its own, or the general one. */
export function verbosityOf<Component extends string>(
  { logVerbosity, logVerbosityByComponent }: Pick<LogOptions<Component>, 'logVerbosity' | 'logVerbosityByComponent'>,
  component: Component,
): number {
  return logVerbosityByComponent[component] ?? logVerbosity;
}

/** The least severe level that a component logs. */
export function levelOf<Component extends string>(options: LogOptions<Component>, component: Component): LogLevel {
  const { logLevel } = options;
  if (logLevel === 'silent' || verbosityOf(options, component) < detailVerbosity) return logLevel;
  return 'debug';
}
