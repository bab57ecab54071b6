import { type Command, command, inSection } from '../../../command.ts';

/** The commands that apply. */
export const applyCommands: readonly Command[] = inSection('Write', [
  command({
    name: 'apply',
    summary: 'create or change objects so that they have the fields of files',
    usage: '-f FILE',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).applyFlags,
    examples: [
      ['what a file has', 'cl apply -f app.yaml'],
      ['what would be written', 'cl apply -f app.yaml --dry-run=server -o yaml'],
      ['a folder, and delete what is no longer in it', 'cl apply -R -f app/ --prune --applyset=app -n work'],
    ],
    load: async () => (await import('./apply.ts')).apply,
  }),
  command({
    name: 'apply view-last-applied',
    summary: 'show what was applied last',
    usage: 'TYPE NAME | TYPE/NAME | -f FILE',
    completes: 'type-and-names',
    flags: async () => (await import('./flags.ts')).viewLastAppliedFlags,
    examples: [
      ['of a deployment', 'cl apply view-last-applied deployment/web'],
      ['of all deployments, as JSON', 'cl apply view-last-applied deployments --all -o json'],
    ],
    load: async () => (await import('./view-last-applied.ts')).viewLastApplied,
  }),
  command({
    name: 'apply edit-last-applied',
    summary: 'change in your editor what was applied last: the record of a client, or else the object',
    usage: 'TYPE NAME... | TYPE/NAME... | -f FILE',
    completes: 'type-and-names',
    flags: async () => (await import('./flags.ts')).editLastAppliedFlags,
    examples: [
      ['of a deployment', 'cl apply edit-last-applied deployment/web'],
      ['of what a file names, as JSON', 'cl apply edit-last-applied -f app.yaml -o json'],
    ],
    load: async () => (await import('./edit-last-applied.ts')).editLastApplied,
  }),
  command({
    name: 'apply set-last-applied',
    summary: 'record files as what was applied last, for clients that apply without the server',
    usage: '-f FILE',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).setLastAppliedFlags,
    examples: [
      ['from a file', 'cl apply set-last-applied -f app.yaml --create-annotation'],
      ['what it would change', 'cl apply set-last-applied -f app.yaml --dry-run=server'],
    ],
    load: async () => (await import('./view-last-applied.ts')).setLastApplied,
  }),
]);
