import { type Command, command } from '../../command.ts';
import { optionsFlags, upFlags, versionFlags } from './flags.ts';

/** The commands that start a control plane, and those about this program. */
export const startCommands: readonly Command[] = [
  command({
    name: 'up',
    section: 'Start',
    summary: 'start etcd, the API server and the controllers on this machine; Ctrl-C stops all of it',
    usage: '',
    words: [0, 0],
    flags: upFlags,
    examples: [
      ['a control plane with its data in .cl', 'cl up'],
      ['with nodes that run pods by saying so', 'cl up --nodes=2'],
      ['one that is gone at the end', 'cl up --store=memory'],
      ['another data folder and port', 'cl up --data-dir=/tmp/plane --secure-port=7443'],
    ],
    load: async () => (await import('./up.ts')).up,
  }),
  command({
    name: 'version',
    section: 'Other',
    summary: 'print the versions of this program and of the server',
    usage: '',
    words: [0, 0],
    flags: versionFlags,
    examples: [
      ['both', 'cl version'],
      ['without a server, as JSON', 'cl version --client -o json'],
    ],
    load: async () => (await import('./version.ts')).version,
  }),
  command({
    name: 'options',
    section: 'Other',
    summary: 'print the flags of all commands',
    usage: '',
    words: [0, 0],
    flags: optionsFlags,
    examples: [['all of them', 'cl options']],
    load: async () => (await import('./options.ts')).options,
  }),
];
