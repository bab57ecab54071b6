import { type Command, command, inSection } from '../../command.ts';

/** The commands that copy the objects of a server, and their changes, through its API. */
export const recordCommands: readonly Command[] = inSection('Start', [
  command({
    name: 'record',
    summary: 'record the objects of a server, and with --follow their changes, in a file',
    usage: 'FILE',
    words: [1, 1],
    completes: 'file',
    flags: async () => (await import('./flags.ts')).recordFlags,
    examples: [
      ['all objects but Secrets, with all changes until Ctrl-C', 'cl record today.jsonl --follow'],
      [
        'the workloads of a namespace',
        'cl record shop.jsonl --namespaces=shop --types=deployments,services,configmaps',
      ],
    ],
    load: async () => (await import('./record.ts')).record,
  }),
  command({
    name: 'replay',
    summary: 'write the objects and changes of a file to a server; what it refuses is listed',
    usage: 'FILE',
    words: [1, 1],
    completes: 'file',
    flags: async () => (await import('./flags.ts')).replayFlags,
    examples: [
      ['all at once', 'cl replay today.jsonl'],
      ['ten times as fast as it was recorded', 'cl replay today.jsonl --speed=10'],
    ],
    load: async () => (await import('./record.ts')).replay,
  }),
]);
