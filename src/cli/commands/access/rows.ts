import { type Command, command, inSection } from '../../command.ts';

/** The commands about users, roles and credentials. */
export const accessCommands: readonly Command[] = inSection('Access', [
  command({
    name: 'auth can-i',
    summary: 'print whether you may do something; the exit code is 1 if not',
    usage: 'VERB TYPE [NAME] | VERB TYPE/NAME | VERB /PATH | --list',
    words: [0, 3],
    flags: async () => (await import('./flags.ts')).canIFlags,
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
    summary: 'print the user that the server takes you for',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).whoamiFlags,
    examples: [
      ['name, groups and extra fields', 'cl auth whoami'],
      ['of another user, as JSON', 'cl auth whoami --as=ann -o json'],
    ],
    load: async () => (await import('./whoami.ts')).whoami,
  }),
  command({
    name: 'auth who-can',
    summary: 'print the users, groups and service accounts whose roles allow something',
    usage: 'VERB TYPE | VERB TYPE/NAME | VERB /PATH',
    words: [2, 3],
    flags: async () => (await import('./flags.ts')).whoCanFlags,
    examples: [
      ['in a namespace', 'cl auth who-can get secrets -n work'],
      ['of a type without namespaces', 'cl auth who-can delete nodes'],
    ],
    load: async () => (await import('./who-can.ts')).whoCan,
  }),
  command({
    name: 'auth reconcile',
    summary: 'create the roles and bindings of files, and add what existing ones miss',
    usage: '-f FILE | -k FOLDER',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).reconcileFlags,
    examples: [
      ['what a file has', 'cl auth reconcile -f roles.yaml'],
      ['what would become of the roles', 'cl auth reconcile -f roles.yaml --dry-run=server -o yaml'],
    ],
    load: async () => (await import('./reconcile.ts')).reconcile,
  }),
  ...(['approve', 'deny'] as const).map((verb) =>
    command({
      name: `certificate ${verb}`,
      summary: `${verb} certificate signing requests`,
      usage: 'NAME... | -f FILE',
      flags: async () => (await import('./flags.ts')).decideFlags,
      examples: [
        ['a request by name', `cl certificate ${verb} ann`],
        ['those of a file', `cl certificate ${verb} -f requests.yaml`],
      ],
      load: async () => (await import('./decide.ts'))[verb],
    }),
  ),
  command({
    name: 'bootstrap token create',
    summary: 'create a token with which a node joins, and print it',
    usage: '[TOKEN]',
    words: [0, 1],
    flags: async () => (await import('./flags.ts')).createTokenFlags,
    examples: [
      ['a new one for a day', 'cl bootstrap token create'],
      ['for an hour, with a text', 'cl bootstrap token create --ttl=1h --description="for node-7"'],
    ],
    load: async () => (await import('./bootstrap-token.ts')).createToken,
  }),
  command({
    name: 'bootstrap token list',
    summary: 'list the tokens with which nodes join',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).plainFlags,
    examples: [
      ['all', 'cl bootstrap token list'],
      ['with a context', 'cl bootstrap token list --context=work'],
    ],
    load: async () => (await import('./bootstrap-token.ts')).listTokens,
  }),
  command({
    name: 'bootstrap token delete',
    summary: 'delete tokens with which nodes join',
    usage: 'TOKEN-ID...',
    words: [1, Infinity],
    flags: async () => (await import('./flags.ts')).plainFlags,
    examples: [
      ['by its id', 'cl bootstrap token delete abcdef'],
      ['two of them', 'cl bootstrap token delete abcdef 123456'],
    ],
    load: async () => (await import('./bootstrap-token.ts')).deleteTokens,
  }),
]);
