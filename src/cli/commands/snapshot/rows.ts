import { type Command, command, inSection } from '../../command.ts';

/** The commands that save and restore a whole store. */
export const snapshotCommands: readonly Command[] = inSection('Start', [
  command({
    name: 'snapshot save',
    summary: 'save all objects of a control plane, as they are at one revision of etcd, in a file',
    usage: 'FILE',
    words: [1, 1],
    completes: 'file',
    flags: async () => (await import('./flags.ts')).snapshotFlags,
    examples: [
      ['the control plane below this directory, also while it runs', 'cl snapshot save today.snapshot'],
      ['any etcd', 'cl snapshot save today.snapshot --etcd-servers=http://127.0.0.1:2379'],
    ],
    load: async () => (await import('./snapshot.ts')).save,
  }),
  command({
    name: 'snapshot restore',
    summary: 'write the objects of a file into an empty store; others are refused',
    usage: 'FILE',
    words: [1, 1],
    completes: 'file',
    flags: async () => (await import('./flags.ts')).restoreFlags,
    examples: [
      ['into a new control plane, before it is started', 'cl snapshot restore today.snapshot --name=copy'],
      ['into any etcd', 'cl snapshot restore today.snapshot --etcd-servers=http://127.0.0.1:2379'],
      [
        'after an accident, when clients have seen versions up to 81234',
        'cl snapshot restore today.snapshot --etcd-servers=http://127.0.0.1:2379 --raise-revision=90000',
      ],
    ],
    load: async () => (await import('./snapshot.ts')).restore,
  }),
]);
