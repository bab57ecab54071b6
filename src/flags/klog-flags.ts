import { inSection } from './flag-table.ts';
import { boolean, integer, text } from './flag-types.ts';

const row = {
  noEffect: 'the log goes to standard error, one record in a line',
  deprecated: 'will be removed in a future release',
  removed: '1.26',
};

/** The flags of klog that the components of Kubernetes had until 1.26. */
export const klogFlags = inSection('Accepted without effect', {
  'add-dir-header': { ...row, type: boolean, help: 'add the folder of the source to records' },
  alsologtostderr: { ...row, type: boolean, help: 'log to standard error and to files' },
  'log-backtrace-at': { ...row, type: text('place'), help: 'place in the source that logs a stack' },
  'log-dir': { ...row, type: text('folder'), help: 'folder of log files' },
  'log-file': { ...row, type: text('file'), help: 'log file' },
  'log-file-max-size': { ...row, type: integer('megabytes'), help: 'size of log files' },
  logtostderr: { ...row, type: boolean, help: 'log to standard error only' },
  'one-output': { ...row, type: boolean, help: 'log each record at its own severity only' },
  'skip-headers': { ...row, type: boolean, help: 'leave out the head of records' },
  'skip-log-headers': { ...row, type: boolean, help: 'leave out the head of log files' },
  stderrthreshold: { ...row, type: text('severity'), help: 'least severity that goes to standard error' },
});
