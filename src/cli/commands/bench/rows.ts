import { type Command, command, inSection } from '../../command.ts';

/** The command that measures a server. */
export const benchCommands: readonly Command[] = inSection('Other', [
  command({
    name: 'bench',
    summary: 'load a server for some seconds, in a namespace that is deleted afterwards, and print what it does',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).benchFlags,
    examples: [
      ['some ten seconds with eight clients', 'cl bench'],
      ['more clients, larger objects', 'cl bench --clients=32 --size=20000 --for=5s'],
    ],
    load: async () => (await import('./bench.ts')).bench,
  }),
]);
