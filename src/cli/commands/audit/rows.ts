import { type Command, command, inSection } from '../../command.ts';

/** The commands about the audit log. */
export const auditCommands: readonly Command[] = inSection('Read', [
  command({
    name: 'audit tail',
    summary: 'show the last requests of the audit log of "cl up", or of a file, and new ones',
    usage: '[FILE]',
    words: [0, 1],
    completes: 'file',
    flags: async () => (await import('./flags.ts')).auditTailFlags,
    examples: [
      ['the last requests of the control plane below this directory', 'cl audit tail'],
      ['what is refused from now on', 'cl audit tail -f --tail=0 --status=4xx,5xx'],
      ['who deletes pods, as JSON', 'cl audit tail --verb=delete,deletecollection --resource=pods -o json'],
    ],
    load: async () => (await import('./tail.ts')).tail,
  }),
]);
