import { type Command, command } from '../../command.ts';
import { describeFlags } from './flags.ts';

/** The commands that look closely at objects and at the server. */
export const inspectCommands: readonly Command[] = [
  command({
    name: 'describe',
    section: 'Read',
    summary: 'show objects in full, with what belongs to them and their Events',
    usage: 'TYPE [NAME_PREFIX... | -l SELECTOR] | TYPE/NAME... | -f FILE',
    completes: 'type-and-names',
    flags: describeFlags,
    examples: [
      ['a node, its pods and what they ask for', 'cl describe node node-1'],
      ['the pods whose names begin so', 'cl describe pod web-'],
      ['what a file has', 'cl describe -f app.yaml'],
    ],
    load: async () => (await import('./describe.ts')).describe,
  }),
];
