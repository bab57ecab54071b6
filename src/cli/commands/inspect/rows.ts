import { type Command, command } from '../../command.ts';
import { describeFlags, treeFlags, whyFlags } from './flags.ts';

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
  command({
    name: 'tree',
    section: 'Read',
    summary: 'show the owners and dependents of an object, with their states',
    usage: 'TYPE NAME | TYPE/NAME',
    words: [1, 2],
    completes: 'type-and-names',
    flags: treeFlags,
    examples: [
      ['a deployment, its replica sets and pods', 'cl tree deployment web'],
      ['the owners of a pod', 'cl tree pod/web-1'],
    ],
    load: async () => (await import('./tree.ts')).tree,
  }),
  command({
    name: 'why',
    section: 'Read',
    summary: 'say why objects are not ready, not scheduled or not deleted, and what to do',
    usage: 'TYPE NAME... | TYPE/NAME...',
    words: [1, Infinity],
    completes: 'type-and-names',
    flags: whyFlags,
    examples: [
      ['a deployment that lacks pods', 'cl why deployment web'],
      ['a namespace that is not deleted', 'cl why ns/old'],
    ],
    load: async () => (await import('./why.ts')).why,
  }),
];
