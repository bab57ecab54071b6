import type { ApiObject } from '../../client/api-object.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { visibleText } from '../format-rows.ts';
import type { CliIo } from '../cli-io.ts';
import { kindAndName, objectPrinter, type PrintOptions } from './print-object.ts';

/** How far a write goes: `client` sends nothing, `server` stores nothing. */
type DryRun = 'none' | 'client' | 'server';

/** Formats an object that was written, or, without `-o`, its name and `done`, such as `created`. */
type WrittenPrinter = (object: ApiObject, done: string) => string;

/** Notes after `done`. */
const notes: Readonly<Record<DryRun, string>> = { none: '', client: ' (dry run)', server: ' (server dry run)' };

/** Loads the printer of a command that writes, by its `-o` and `--dry-run`. */
export async function writtenPrinter(
  options: PrintOptions & { readonly dryRun?: DryRun },
  io: Pick<CliIo, 'directory'>,
): Promise<WrittenPrinter> {
  const note = notes[options.dryRun ?? 'none'];
  if (options.output === undefined && options.template === undefined) {
    return (object, done) => `${visibleText(kindAndName(jsonOf(object)))} ${done}${note}\n`;
  }
  const print = await objectPrinter(options, io);
  return (object) => print(jsonOf(object));
}

/** The codec of the client returns JSON values. */
function jsonOf(object: ApiObject): JsonObject {
  return object as JsonObject;
}
