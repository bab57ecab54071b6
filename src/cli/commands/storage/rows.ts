import { type Command, command, inSection } from '../../command.ts';

/** The commands about the stored form of objects. */
export const storageCommands: readonly Command[] = inSection('Start', [
  command({
    name: 'storage rewrite',
    summary: 'write the objects again that are stored with an older key or in an older version',
    usage: '[TYPE...]',
    completes: 'type-and-names',
    flags: async () => (await import('./flags.ts')).rewriteFlags,
    examples: [
      [
        'after a new encryption key was put first, so that the old one can be removed',
        'cl storage rewrite secrets configmaps',
      ],
      ['all types that can be written', 'cl storage rewrite'],
      ['go on with a run that was interrupted', 'cl storage rewrite secrets --resume=81234'],
    ],
    load: async () => (await import('./rewrite.ts')).rewrite,
  }),
]);
