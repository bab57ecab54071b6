import { type Command, command } from '../../command.ts';
import { getFlags } from './flags.ts';

/** The commands that read. */
export const readCommands: readonly Command[] = [
  command({
    name: 'get',
    section: 'Read',
    summary: 'show objects',
    usage: 'TYPE[.VERSION][.GROUP] [NAME...] | TYPE/NAME...',

    completes: 'type-and-names',
    flags: getFlags,
    examples: [
      ['the pods of the namespace', 'cl get pods'],
      ['two objects as YAML', 'cl get secret/a service/b -o yaml'],
      ['deployments of all namespaces with a label, and their changes', 'cl get deployments -A -l app=web -w'],
    ],
    load: async () => (await import('./get.ts')).get,
  }),
];
