import { type Command, command, inSection } from '../../command.ts';

/** The commands about the past. */
export const historyCommands: readonly Command[] = inSection('Read', [
  command({
    name: 'history',
    summary: 'show the changes of an object that the store still has, and who made them',
    usage: 'TYPE NAME | TYPE/NAME',
    words: [1, 2],
    completes: 'type-and-names',
    flags: async () => (await import('./flags.ts')).historyFlags,
    examples: [
      ['the changes of a deployment', 'cl history deployment web'],
      ['the object as it was at one of the revisions', 'cl history deployment web --revision=1234'],
    ],
    load: async () => (await import('./history.ts')).history,
  }),
]);
