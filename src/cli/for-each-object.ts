import { CliError, errorLine, isUnanswered } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';

/**
 * Acts on objects in order, prints the text that each action returns, and continues after a refused
 * one, but not if no server answers. Throws at the end if any was refused; `done` names the
 * intended action, such as `created`.
 */
export async function forEachObject<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<string | void>,
  { io, done }: { readonly io: CliIo; readonly done: string },
): Promise<void> {
  let failures = 0;
  for (const item of items) {
    try {
      io.stdout.write((await act(item)) ?? '');
    } catch (error) {
      // The error is enough if there is only one object, or if the server is unavailable.
      if (io.signal.aborted || items.length === 1 || isUnanswered(error)) throw error;
      io.stderr.write(`${errorLine(error)}\n`);
      failures += 1;
    }
  }
  if (failures > 0) throw new CliError(`${failures} of ${items.length} objects were not ${done}`);
}
