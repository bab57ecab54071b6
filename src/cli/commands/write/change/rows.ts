import { type Command, command, inSection } from '../../../command.ts';

const common = { completes: 'type-and-names' } as const;

/** The commands that change objects. */
export const changeCommands: readonly Command[] = inSection('Write', [
  command({
    ...common,
    name: 'patch',
    summary: 'change fields of objects with a patch',
    usage: 'TYPE NAME | TYPE/NAME | -f FILE -p PATCH',
    flags: async () => (await import('./flags.ts')).patchFlags,
    examples: [
      ['a field', `cl patch deployment web -p '{"spec":{"replicas":3}}'`],
      ['an operation', `cl patch deployment/web --type=json -p '[{"op":"remove","path":"/spec/paused"}]'`],
      ['the status', `cl patch pod/a --subresource=status --type=merge -p '{"status":{"message":"x"}}'`],
    ],
    load: async () => (await import('./patch.ts')).patch,
  }),
  command({
    name: 'replace',
    summary: 'replace objects as a whole with those of files',
    usage: '-f FILE',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).replaceFlags,
    examples: [
      ['what a file has', 'cl replace -f app.yaml'],
      ['by deleting it first', 'cl replace --force -f job.yaml'],
    ],
    load: async () => (await import('./replace.ts')).replace,
  }),
  command({
    ...common,
    name: 'label',
    summary: 'set or remove labels',
    usage: 'TYPE NAME... | TYPE/NAME... | TYPE -l SELECTOR | -f FILE KEY=VALUE... KEY-...',
    flags: async () => (await import('./flags.ts')).labelFlags,
    examples: [
      ['one label, and without another', 'cl label pod web tier=front old-'],
      ['all pods', 'cl label pods --all team=data --overwrite'],
    ],
    load: async () => (await import('./label.ts')).label,
  }),
  command({
    ...common,
    name: 'annotate',
    summary: 'set or remove annotations',
    usage: 'TYPE NAME... | TYPE/NAME... | TYPE -l SELECTOR | -f FILE KEY=VALUE... KEY-...',
    flags: async () => (await import('./flags.ts')).annotateFlags,
    examples: [
      ['one annotation', 'cl annotate pod web example.com/note="seen by Ann"'],
      ['without one', 'cl annotate pod web example.com/note-'],
    ],
    load: async () => (await import('./label.ts')).annotate,
  }),
  command({
    ...common,
    name: 'scale',
    summary: 'set the number of replicas',
    usage: 'TYPE NAME... | TYPE/NAME... | TYPE -l SELECTOR | -f FILE --replicas=COUNT',
    flags: async () => (await import('./flags.ts')).scaleFlags,
    examples: [
      ['a deployment', 'cl scale deployment/web --replicas=3'],
      ['only from two', 'cl scale deployment/web --current-replicas=2 --replicas=3'],
    ],
    load: async () => (await import('./scale.ts')).scale,
  }),
]);
