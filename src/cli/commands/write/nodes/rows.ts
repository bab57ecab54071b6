import { type Command, command, inSection } from '../../../command.ts';

const common = { completes: 'node' } as const;

/** The commands that write nodes. */
export const nodeCommands: readonly Command[] = inSection('Nodes', [
  command({
    ...common,
    name: 'cordon',
    summary: 'let no more pods be scheduled to nodes',
    usage: 'NODE... | -l SELECTOR',
    flags: async () => (await import('./flags.ts')).cordonFlags,
    examples: [
      ['one node', 'cl cordon node-1'],
      ['all with a label', 'cl cordon -l zone=a'],
    ],
    load: async () => (await import('./cordon.ts')).cordon,
  }),
  command({
    ...common,
    name: 'uncordon',
    summary: 'let pods be scheduled to nodes again',
    usage: 'NODE... | -l SELECTOR',
    flags: async () => (await import('./flags.ts')).cordonFlags,
    examples: [
      ['one node', 'cl uncordon node-1'],
      ['all with a label', 'cl uncordon -l zone=a'],
    ],
    load: async () => (await import('./cordon.ts')).uncordon,
  }),
  command({
    ...common,
    name: 'drain',
    summary: 'cordon nodes and evict their pods',
    usage: 'NODE... | -l SELECTOR',
    flags: async () => (await import('./flags.ts')).drainFlags,
    examples: [
      ['before a repair', 'cl drain node-1 --ignore-daemonsets --delete-emptydir-data'],
      ['what it would delete', 'cl drain node-1 --ignore-daemonsets --dry-run=client'],
    ],
    load: async () => (await import('./drain.ts')).drain,
  }),
  command({
    ...common,
    name: 'taint',
    summary: 'set or remove taints of nodes, which keep pods away',
    usage: 'nodes NODE... KEY=VALUE:EFFECT... KEY:EFFECT-... KEY-...',
    flags: async () => (await import('./flags.ts')).taintFlags,
    examples: [
      ['for some pods only', 'cl taint nodes node-1 team=data:NoSchedule'],
      ['no longer', 'cl taint nodes node-1 team-'],
    ],
    load: async () => (await import('./taint.ts')).taint,
  }),
]);
