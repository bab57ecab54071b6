import { inSection } from './flag-table.ts';
import { boolean, checked, choice, duration, integer, list, text } from './flag-types.ts';

const unbuffered = 'each record is written at once';
const lines = 'the log is lines of text about what happens, without levels';
const oneStream = 'the log goes to standard error';

/** The flags of log buffers that all components of Kubernetes have. */
export const logBufferFlags = inSection('Accepted without effect', {
  'log-flush-frequency': { type: duration(), noEffect: unbuffered, help: 'longest time between writes of the log' },
  'log-json-info-buffer-size': { type: text('size'), noEffect: unbuffered, help: 'buffer of the log in JSON' },
  'log-json-split-stream': { type: boolean, noEffect: oneStream, help: 'log errors alone to standard error' },
  'log-text-info-buffer-size': { type: text('size'), noEffect: unbuffered, help: 'buffer of the log in text' },
  'log-text-split-stream': { type: boolean, noEffect: oneStream, help: 'log errors alone to standard error' },
});

/** The log flags of a component that logs lines of text. */
export const logFlags = {
  ...inSection('Accepted without effect', {
    'logging-format': { type: choice('format', ['json', 'text']), noEffect: lines, help: 'format of the log' },
    v: { type: integer('level'), noEffect: lines, help: 'number of the level that is logged' },
    vmodule: {
      type: checked(list('levels'), (given) =>
        given.every((one) => /^[^=]+=[0-9]+$/.test(one)) ? undefined : 'use <pattern>=<level>',
      ),
      noEffect: lines,
      help: 'levels by source file',
    },
  }),
  ...logBufferFlags,
};
