import { type Command, command, inSection } from '../../command.ts';

/** The commands that look for problems of a whole set-up. */
export const doctorCommands: readonly Command[] = inSection('Read', [
  command({
    name: 'doctor',
    summary: 'look for what is wrong with a set-up, and say what to do; the exit code is 1 for an error',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).doctorFlags,
    examples: [
      ['all checks', 'cl doctor'],
      ['a control plane of this machine, also one that does not run', 'cl doctor --name=old'],
      ['only what is wrong, for a script', 'cl doctor -q'],
    ],
    load: async () => (await import('./doctor.ts')).doctor,
  }),
]);
