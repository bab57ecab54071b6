import { resolve } from 'node:path';
import { recordToFile } from '../../../recording/record-to-file.ts';
import { RecordingError } from '../../../recording/recording-file.ts';
import { replayFile } from '../../../recording/replay-file.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { visibleLine } from '../../format-rows.ts';
import type { recordFlags, replayFlags } from './flags.ts';

/** `cl record FILE`: the objects of a server, and their changes until a signal arrives. */
export async function record(invocation: Invocation<typeof recordFlags>): Promise<void> {
  const {
    words: [name = ''],
    options,
    io,
  } = invocation;
  const { types, ...rest } = options;
  const onSynced = (): void => {
    if (options.follow) io.stderr.write('all objects are recorded; changes follow until Ctrl-C\n');
  };
  const selection = { ...rest, ...(types.length > 0 ? { types } : {}), onSynced, onProblem: problemsTo(io) };
  // Nobody asked for a deprecated type among all of them.
  const hideWarnings = types.length === 0;
  const count = await withClient({ ...invocation, hideWarnings }, async (client) =>
    recordToFile(client, resolve(io.directory, name), selection, io.signal).catch((error: unknown) => {
      throw error instanceof RangeError ? new CliError(error.message, { hint: 'see "cl api-resources"' }) : error;
    }),
  );
  io.stdout.write(visibleLine(`recorded ${count} objects and changes in ${name}`));
}

/** `cl replay FILE`: writes a recording. Fails at the end if anything of it was not written. */
export async function replay(invocation: Invocation<typeof replayFlags>): Promise<void> {
  const {
    words: [name = ''],
    options,
    io,
  } = invocation;
  let problems = 0;
  const show = problemsTo(io);
  const onProblem = (problem: string): void => {
    problems++;
    show(problem);
  };
  const summary = await withClient({ ...invocation, hideWarnings: true }, async (client) => {
    const file = resolve(io.directory, name);
    return replayFile(client, file, { speed: options.speed, onProblem }, io.signal);
  }).catch((error: unknown) => {
    throw error instanceof RecordingError ? new CliError(error.message, { hint: 'make one with "cl record"' }) : error;
  });
  io.stdout.write(visibleLine(`wrote ${summary.written} objects and changes; ${summary.unchanged} were there already`));
  if (problems > 0) throw new CliError(`${problems} entries of ${name} were not written`);
}

function problemsTo(io: CliIo): (problem: string) => void {
  return (problem) => io.stderr.write(visibleLine(problem));
}
