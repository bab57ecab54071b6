import assert from 'node:assert/strict';
import { commands } from '../../../../src/cli/commands/command-table.ts';
import { globalFlags } from '../../../../src/cli/global-flags.ts';
import { flagsOf } from '../../../../src/flags/flag-options.ts';
import type { FlagTable } from '../../../../src/flags/flag-table.ts';
import { parseArguments } from '../../../../src/flags/parse-arguments.ts';

/** The words of a command line, as a shell has them; those after a pipe are another program's. */
function wordsOf(line: string): string[] {
  const [, own = ''] = /(?:^|\s|\()cl ([^|)>]*)/.exec(line) ?? [];
  const words = own.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replaceAll(/['"]/g, ''));
}

describe('the examples of commands', () => {
  for (const { name, words: range = [0, Infinity], examples, flags, moreFlags } of commands) {
    it(`of ${name} are two or more lines that can be pasted`, async () => {
      assert.ok(examples.length >= 2, `${examples.length} examples`);
      const table: FlagTable = { ...(await moreFlags?.()), ...globalFlags, ...(await flags()) };
      for (const [does, line] of examples) {
        assert.notEqual(does, '');
        const words = wordsOf(line);
        const names = name.split(' ');
        assert.deepEqual(words.slice(0, names.length), names, line);
        const parsed = parseArguments(flagsOf<FlagTable>(table), [], words.slice(names.length), { words: true });
        assert.deepEqual(parsed.errors, [], line);
        assert.ok(parsed.words.length >= range[0] && parsed.words.length <= range[1], line);
      }
    });
  }
});
