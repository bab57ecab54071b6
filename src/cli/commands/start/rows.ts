import { type Command, command, inSection } from '../../command.ts';

const ofPlane = {
  usage: '',
  words: [0, 0],
  flags: async () => (await import('./flags.ts')).planeFlags,
} as const;

/** The commands about control planes that `cl up` started. */
const planeCommands: readonly Command[] = inSection('Start', [
  command({
    ...ofPlane,
    name: 'up status',
    summary: 'print the processes and the address of a control plane',
    examples: [
      ['the one below this directory', 'cl up status'],
      ['one by name', 'cl up status --name=old'],
    ],
    load: async () => (await import('./planes.ts')).status,
  }),
  command({
    ...ofPlane,
    name: 'up list',
    summary: 'print the control planes of this user',
    flags: async () => (await import('./flags.ts')).planeListFlags,
    examples: [
      ['all of them', 'cl up list'],
      ['their names', 'cl up list | cut -d " " -f 1'],
    ],
    load: async () => (await import('./planes.ts')).list,
  }),
  command({
    ...ofPlane,
    name: 'up down',
    aliases: ['down'],
    summary: 'stop a control plane; its data stays',
    examples: [
      ['the one below this directory', 'cl up down'],
      ['one by name', 'cl up down --name=old'],
    ],
    load: async () => (await import('./planes.ts')).down,
  }),
  command({
    ...ofPlane,
    name: 'up reset',
    summary: 'delete the data, certificates and logs of a control plane that does not run',
    flags: async () => (await import('./flags.ts')).resetFlags,
    examples: [
      ['one by name, without asking', 'cl up reset --name=old --yes'],
      ['the one below this directory', 'cl up reset'],
    ],
    load: async () => (await import('./planes.ts')).reset,
  }),
  command({
    ...ofPlane,
    name: 'up kubeconfig',
    aliases: ['up clientconfig'],
    summary: 'print the client config of a control plane, or merge it into your own',
    flags: async () => (await import('./flags.ts')).planeConfigFlags,
    examples: [
      ['of the one below this directory', 'cl up kubeconfig'],
      ['make one by name the current context', 'cl up kubeconfig --name=old --merge --use'],
    ],
    load: async () => (await import('./plane-config.ts')).planeConfig,
  }),
  command({
    ...ofPlane,
    name: 'up logs',
    summary: 'print the logs of a control plane',
    usage: '[PART...]',
    words: [0, Infinity],
    flags: async () => (await import('./flags.ts')).planeLogsFlags,
    examples: [
      ['the last lines of all parts', 'cl up logs'],
      ['new lines of the API server', 'cl up logs apiserver -f'],
    ],
    load: async () => (await import('./planes.ts')).logs,
  }),
]);

/** The commands that start a control plane, and those about this program. */
export const startCommands: readonly Command[] = inSection('Start', [
  command({
    name: 'up',
    summary: 'start etcd, the API server and the controllers on this machine; Ctrl-C stops all of it',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).upFlags,
    examples: [
      ['a control plane with its data in .cl', 'cl up'],
      ['with nodes that run pods by saying so', 'cl up --nodes=2'],
      ['one that is gone at the end', 'cl up --store=memory'],
      ['another data folder and port', 'cl up --data-dir=/tmp/plane --secure-port=7443'],
      ['beside others, in the background, as another release', 'cl up --name=old --detach --emulated-release=1.21'],
    ],
    moreFlags: async () => (await import('../../up/plane-flags.ts')).planeFlags,
    hasConfigFile: true,
    load: async () => (await import('./up.ts')).up,
  }),
  ...planeCommands,
  command({
    name: 'version',
    section: 'Other',
    summary: 'print the versions of this program and of the server',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).versionFlags,
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
    flags: async () => (await import('./flags.ts')).optionsFlags,
    examples: [
      ['all of them', 'cl options'],
      ['those about credentials', 'cl options | grep client-'],
    ],
    load: async () => (await import('./options.ts')).options,
  }),
]);
