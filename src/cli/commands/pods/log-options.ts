import type { LogOptions } from '../../../client/streams/read-logs.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import type { logsFlags } from './flags.ts';

type Logs = Pick<Invocation<typeof logsFlags>, 'options' | 'given'>;

/** The lines of each container if pods are selected by labels. */
const selectedLines = 10;

/** The part of each log to read. Throws CliError for flags that exclude each other. */
export function logOptions({ options, given }: Logs): LogOptions {
  const { follow, previous, timestamps, tail, since, sinceTime, limitBytes, selector, insecureSkipTlsVerifyBackend } =
    options;
  if (given('since') && given('sinceTime')) {
    throw new CliError('at most one of --since-time and --since may be used', { hint: 'leave out one of them' });
  }
  const lines = tail ?? (selector === undefined ? -1 : selectedLines);
  return {
    ...(follow ? { follow } : {}),
    ...(previous ? { previous } : {}),
    ...(timestamps ? { timestamps } : {}),
    ...(lines < 0 ? {} : { tailLines: lines }),
    ...(since > 0 ? { sinceSeconds: Math.ceil(since / 1000) } : {}),
    ...(sinceTime === undefined ? {} : { sinceTime }),
    ...(limitBytes > 0 ? { limitBytes } : {}),
    ...(insecureSkipTlsVerifyBackend ? { insecureSkipTLSVerifyBackend: true } : {}),
  };
}
