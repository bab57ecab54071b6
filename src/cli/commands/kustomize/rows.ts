import { type Command, command, inSection } from '../../command.ts';

/** The command that builds the objects of a folder. */
export const kustomizeCommands: readonly Command[] = inSection('Other', [
  command({
    name: 'kustomize',
    summary: 'print what the program kustomize builds from a folder or URL',
    usage: '[FOLDER]',
    words: [0, 1],
    completes: 'file',
    flags: async () => (await import('./flags.ts')).kustomizeFlags,
    examples: [
      ['of this folder', 'cl kustomize'],
      ['of a folder, for a server', 'cl kustomize overlays/test | cl apply -f -'],
    ],
    load: async () => (await import('./kustomize.ts')).kustomize,
  }),
]);
