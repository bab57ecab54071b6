/** The levels of lines, from none to the least severe. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

/** The least severe level that is logged. */
export type LogLevel = (typeof logLevels)[number];

/** The forms of lines. */
export const logFormats = ['json', 'text'] as const;

/** The highest verbosity. */
export const highestVerbosity = 10;

/** Options of the log of a program whose parts have names. */
export interface LogOptions<Component extends string> {
  readonly logLevel: LogLevel;
  readonly loggingFormat: (typeof logFormats)[number];
  readonly logVerbosity: number;
  /** The verbosity of components that differ from the others. */
  readonly logVerbosityByComponent: Readonly<Partial<Record<Component, number>>>;
}
