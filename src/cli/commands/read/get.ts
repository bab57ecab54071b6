import type { Invocation } from '../../command.ts';
import { isForeignAnswer, StatusError } from '../../../client/status-error.ts';
import type { getFlags } from './flags.ts';
import { CliError } from '../../cli-error.ts';
import { withClient } from '../../connect.ts';
import { readOutput } from '../../printers/print-object.ts';
import type { GetRun } from './get-run.ts';
import { getTargets } from './get-targets.ts';

/** `cl get`: shows objects; with `-w` also their changes. */
export async function get({ words, options, io }: Invocation<typeof getFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const run = { client, options, io };
    if (options.raw !== undefined) {
      await printRaw(run, options.raw, words);
      return;
    }
    if (options.showLabels && !isTable(run)) {
      throw new CliError(`--show-labels option cannot be used with ${readOutput(options).format} printer`, {
        hint: 'it adds a column to the table',
      });
    }
    const isWatch = options.watch || options.watchOnly;
    if (options.outputWatchEvents && !isWatch) {
      throw new CliError('--output-watch-events option can only be used with --watch or --watch-only');
    }
    const targets = await getTargets(run, words);
    if (isWatch) await (await import('./get-watch.ts')).watchTarget(run, targets);
    else if (isTable(run)) await (await import('./get-table.ts')).showTables(run, targets);
    else await (await import('./get-objects.ts')).showObjects(run, targets);
  });
}

/** Reports whether rows are shown, not objects. */
function isTable({ options }: GetRun): boolean {
  return ['', 'wide'].includes(readOutput(options).format);
}

async function printRaw({ client, io }: GetRun, raw: string, words: readonly string[]): Promise<void> {
  if (words.length > 0) throw new CliError('arguments may not be passed when --raw is specified');
  if (!raw.startsWith('/'))
    throw new CliError('the path of --raw begins with /', { hint: 'for example: --raw /readyz' });
  const reading = client.transport.request({ method: 'GET', path: raw, accept: '*/*', signal: io.signal });
  io.stdout.write(await reading.catch(unserved));
}

/** A path that is not served is answered with a list of those that are, which nobody asked for. */
function unserved(error: unknown): never {
  if (!isForeignAnswer(error) || error.code !== 404) throw error;
  const message = 'the server could not find the requested resource';
  throw new StatusError({ kind: 'Status', code: 404, reason: 'NotFound', message }, { cause: error });
}
