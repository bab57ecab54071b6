import type { JsonObject } from '../../meta/json-value.ts';
import type { CliIo } from '../cli-io.ts';
import { visibleText } from '../format-rows.ts';
import { kindAndName, type PrintOptions } from '../printers/print-object.ts';
import { writtenPrinter } from '../printers/print-written.ts';
import type { DryRun } from '../write-flags.ts';

/** How objects that were written are printed. */
export interface WrittenOutputOptions extends PrintOptions {
  readonly dryRun: DryRun;
}

/** Prints the objects that a command writes, one after the other. */
export interface WrittenObjects {
  /** `done` is what happened, as in `created`. */
  print(object: JsonObject, done: string): void;
  /** Prints what was kept for a list. */
  end(): void;
}

/**
 * Loads a printer for one run of a command: names with what was done, or objects. With `asList`
 * several objects are printed as one List at the end.
 */
export async function createWrittenObjects(
  options: WrittenOutputOptions,
  io: CliIo,
  { asList = false }: { readonly asList?: boolean } = {},
): Promise<WrittenObjects> {
  const print = await writtenPrinter(options, io);
  const kept: JsonObject[] = [];
  const isKept = asList && (options.output ?? options.template) !== undefined;
  return {
    print(object, done) {
      if (isKept) kept.push(object);
      else io.stdout.write(print(object, done));
    },
    end() {
      const [first, ...others] = kept.splice(0);
      if (!first) return;
      const list = { apiVersion: 'v1', items: [first, ...others], kind: 'List', metadata: {} };
      io.stdout.write(print(others.length > 0 ? list : first, ''));
    },
  };
}

/** The name of an object as other commands accept it: `deployment.apps/web`. */
export function shortName(object: JsonObject): string {
  return visibleText(kindAndName(object));
}
