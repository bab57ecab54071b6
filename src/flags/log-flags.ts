import { highestVerbosity, logFormats, logLevels } from '../log/program-log-options.ts';
import { componentVerbosity } from './component-verbosity.ts';
import { inSection } from './flag-table.ts';
import { boolean, choice, duration, integer, text } from './flag-types.ts';

const unbuffered = 'each record is written at once';
const oneStream = 'the log goes to standard error';

/** The flags of the buffers of logs that all components of Kubernetes have. */
export const logBufferFlags = inSection('Accepted without effect', {
  'log-flush-frequency': { type: duration(), noEffect: unbuffered, help: 'longest time between writes of the log' },
  'log-json-info-buffer-size': { type: text('size'), noEffect: unbuffered, help: 'buffer of the log in JSON' },
  'log-json-split-stream': { type: boolean, noEffect: oneStream, help: 'log errors alone to standard error' },
  'log-text-info-buffer-size': { type: text('size'), noEffect: unbuffered, help: 'buffer of the log in text' },
  'log-text-split-stream': { type: boolean, noEffect: oneStream, help: 'log errors alone to standard error' },
});

/**
 * The flags of the log of a program whose parts have these names. `named` says in the help which
 * these are.
 */
export function logFlags<const Component extends string>(components: readonly Component[], named: string) {
  return inSection('Log', {
    'log-level': {
      type: choice('level', logLevels),
      default: 'info',
      help: 'least severe level that is logged: silent, error, warn, info or debug',
    },
    'logging-format': {
      type: choice('format', logFormats),
      default: 'json',
      help: 'form of the log: json, with the fields of the JSON log of Kubernetes, or text, with its lines',
    },
    v: {
      type: integer('level', 0, highestVerbosity),
      default: 0,
      help: 'verbosity of the log: 0 to 3 what an administrator should know, 4 and more a line for each step of a controller too',
    },
    vmodule: {
      type: componentVerbosity(components),
      default: {},
      help: `verbosity by component, as job-controller=4; the components are ${named}`,
    },
  });
}
