import { type Command, command } from '../../command.ts';
import { canIFlags, decideFlags, reconcileFlags, whoamiFlags, whoCanFlags } from './flags.ts';

/** The commands about users, roles and credentials. */
export const accessCommands: readonly Command[] = [
  command({
    name: 'auth can-i',
    section: 'Access',
    summary: 'print whether you may do something; the exit code is 1 if not',
    usage: 'VERB TYPE [NAME] | VERB TYPE/NAME | VERB /PATH | --list',
    words: [0, 3],
    flags: canIFlags,
    examples: [
      ['a verb on a type', 'cl auth can-i create pods'],
      ['as another user, with the rule', 'cl auth can-i get pods/web --subresource=log --why --as=ann'],
      ['a path', 'cl auth can-i get /metrics'],
      ['all of a namespace', 'cl auth can-i --list -n work'],
    ],
    load: async () => (await import('./can-i.ts')).canI,
  }),
  command({
    name: 'auth whoami',
    section: 'Access',
    summary: 'print the user that the server takes you for',
    usage: '',
    words: [0, 0],
    flags: whoamiFlags,
    examples: [['name, groups and extra fields', 'cl auth whoami']],
    load: async () => (await import('./whoami.ts')).whoami,
  }),
  command({
    name: 'auth who-can',
    section: 'Access',
    summary: 'print the users, groups and service accounts whose roles allow something',
    usage: 'VERB TYPE | VERB TYPE/NAME | VERB /PATH',
    words: [2, 3],
    flags: whoCanFlags,
    examples: [
      ['in a namespace', 'cl auth who-can get secrets -n work'],
      ['of a type without namespaces', 'cl auth who-can delete nodes'],
    ],
    load: async () => (await import('./who-can.ts')).whoCan,
  }),
  command({
    name: 'auth reconcile',
    section: 'Access',
    summary: 'create the roles and bindings of files, and add what existing ones miss',
    usage: '-f FILE',
    words: [0, 0],
    flags: reconcileFlags,
    examples: [['what a file has', 'cl auth reconcile -f roles.yaml']],
    load: async () => (await import('./reconcile.ts')).reconcile,
  }),
  ...(['approve', 'deny'] as const).map((verb) =>
    command({
      name: `certificate ${verb}`,
      section: 'Access',
      summary: `${verb} certificate signing requests`,
      usage: 'NAME...',
      words: [1, Infinity],
      flags: decideFlags,
      examples: [['a request by name', `cl certificate ${verb} ann`]],
      load: async () => (await import('./decide.ts'))[verb],
    }),
  ),
];
