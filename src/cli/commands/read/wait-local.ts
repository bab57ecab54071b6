import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import type { Invocation } from '../../command.ts';
import { forEachObject } from '../../for-each-object.ts';
import { type Manifest, readManifests } from '../../manifests/read-manifests.ts';
import { kindAndName } from '../../printers/print-object.ts';
import type { writtenPrinter } from '../../printers/print-written.ts';
import type { AwaitedState } from './wait-condition.ts';
import type { waitFlags } from './wait-flags.ts';

/** The wanted state, and the printer of objects that have it. */
interface LocalCheck {
  readonly state: AwaitedState;
  readonly print: Awaited<ReturnType<typeof writtenPrinter>>;
}

/** `cl wait --local`: checks the objects of files as they are. */
export async function checkFiles(
  options: Invocation<typeof waitFlags>['options'],
  io: CliIo,
  { state, print }: LocalCheck,
): Promise<void> {
  if (options.filename.length === 0) throw new CliError('--local needs objects from -f', { hint: 'leave out --local' });
  const checkOne = async ({ object }: Manifest): Promise<string> => {
    if (state.isReached(object)) return print(object, 'condition met');
    throw new CliError(`condition not met for ${kindAndName(object)}`);
  };
  await forEachObject(await readManifests(options, io), checkOne, { io, done: 'in this state' });
}
