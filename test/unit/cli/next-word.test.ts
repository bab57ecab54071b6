import assert from 'node:assert/strict';
import { nextWord } from '../../../src/cli/next-word.ts';

describe('the first word of a command line', () => {
  const lines: readonly [args: string[], word: string][] = [
    [['get', 'pods'], 'get'],
    [['--trace', 'get', 'pods'], 'get'],
    [['--insecure-skip-tls-verify', 'get'], 'get'],
    [['--namespace', 'get', 'delete'], 'delete'],
    [['-n', 'get', 'delete'], 'delete'],
    [['-n=get', 'delete'], 'delete'],
  ];
  for (const [args, word] of lines) {
    it(`${args.join(' ')}: ${word}`, () => {
      assert.equal(args[nextWord(args, 0)], word);
    });
  }
});
