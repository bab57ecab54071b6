import { type Command, command, inSection } from '../../command.ts';

/** The commands that delete an entry of the client config. */
const deletions = [
  ['context', 'contexts', 'work'],
  ['cluster', 'clusters', 'local'],
  ['user', 'users', 'ann'],
] as const;

/** The commands about the client config. */
export const configCommands: readonly Command[] = inSection('Access', [
  command({
    name: 'config view',
    summary: 'print the client config, without secrets',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).viewFlags,
    examples: [
      ['all files as one', 'cl config view'],
      ['only the current context, in one file for another machine', 'cl config view --minify --flatten --raw'],
    ],
    load: async () => (await import('./view.ts')).view,
  }),
  command({
    name: 'config get-contexts',
    summary: 'list contexts',
    usage: '[NAME...]',
    completes: 'context',
    flags: async () => (await import('./flags.ts')).getContextsFlags,
    examples: [
      ['all', 'cl config get-contexts'],
      ['only their names', 'cl config get-contexts -o name'],
    ],
    load: async () => (await import('./contexts.ts')).getContexts,
  }),
  command({
    name: 'config current-context',
    summary: 'print the name of the current context',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).noFlags,
    examples: [
      ['its name', 'cl config current-context'],
      ['of another file', 'cl config current-context --clientconfig=.cl/admin.clientconfig'],
    ],
    load: async () => (await import('./contexts.ts')).currentContext,
  }),
  command({
    name: 'config use-context',
    aliases: ['config use'],
    summary: 'make a context the current one',
    usage: 'NAME',
    words: [1, 1],
    completes: 'context',
    flags: async () => (await import('./flags.ts')).noFlags,
    examples: [
      ['the context work', 'cl config use-context work'],
      ['in another file', 'cl config use-context work --clientconfig=work.clientconfig'],
    ],
    load: async () => (await import('./contexts.ts')).useContext,
  }),
  command({
    name: 'config rename-context',
    summary: 'rename a context',
    usage: 'NAME NEW-NAME',
    words: [2, 2],
    completes: 'context',
    flags: async () => (await import('./flags.ts')).noFlags,
    examples: [
      ['from work to home', 'cl config rename-context work home'],
      ['in another file', 'cl config rename-context work home --clientconfig=work.clientconfig'],
    ],
    load: async () => (await import('./contexts.ts')).renameContext,
  }),
  ...deletions.map(([noun, list, example]) =>
    command({
      name: `config delete-${noun}`,
      summary: `delete a ${noun} of the client config`,
      usage: 'NAME',
      words: [1, 1],
      ...(noun === 'context' ? { completes: 'context' as const } : {}),
      flags: async () => (await import('./flags.ts')).noFlags,
      examples: [
        [`the ${noun} ${example}`, `cl config delete-${noun} ${example}`],
        ['in another file', `cl config delete-${noun} ${example} --clientconfig=work.clientconfig`],
      ],
      load: async () => (await import('./contexts.ts')).deleteEntry(list, noun),
    }),
  ),
  ...(['clusters', 'users'] as const).map((list) =>
    command({
      name: `config get-${list}`,
      summary: `list the ${list} of the client config`,
      usage: '',
      words: [0, 0],
      flags: async () => (await import('./flags.ts')).noFlags,
      examples: [
        ['their names', `cl config get-${list}`],
        ['of another file', `cl config get-${list} --clientconfig=work.clientconfig`],
      ],
      load: async () => (await import('./contexts.ts')).namesOf(list),
    }),
  ),
  command({
    name: 'config set-context',
    summary: 'create or change a context',
    usage: 'NAME | --current',
    words: [0, 1],
    completes: 'context',
    flags: async () => (await import('./flags.ts')).setContextFlags,
    examples: [
      ['a new one', 'cl config set-context work --cluster=local --user=ann --namespace=work'],
      ['another namespace', 'cl config set-context --current --namespace=home'],
    ],
    load: async () => (await import('./set-entries.ts')).setContext,
  }),
  command({
    name: 'config set-cluster',
    summary: 'create or change a cluster of the client config',
    usage: 'NAME',
    words: [1, 1],
    flags: async () => (await import('./flags.ts')).setClusterFlags,
    examples: [
      [
        'with its certificates',
        'cl config set-cluster local --server=https://127.0.0.1:6443 --certificate-authority=ca.crt --embed-certs',
      ],
      ['another address', 'cl config set-cluster local --server=https://127.0.0.1:7443'],
    ],
    load: async () => (await import('./set-entries.ts')).setCluster,
  }),
  command({
    name: 'config set-credentials',
    summary: 'create or change a user of the client config',
    usage: 'NAME',
    words: [1, 1],
    flags: async () => (await import('./flags.ts')).setCredentialsFlags,
    examples: [
      ['with a token', 'cl config set-credentials ann --token=abc'],
      ['with a program that prints credentials', 'cl config set-credentials ann --exec-command=login --exec-arg=token'],
    ],
    load: async () => (await import('./set-entries.ts')).setCredentials,
  }),
  command({
    name: 'config set',
    summary: 'set a property of the client config',
    usage: 'PROPERTY VALUE',
    words: [2, 2],
    flags: async () => (await import('./flags.ts')).setFlags,
    examples: [
      ['the address of a cluster', 'cl config set clusters.local.server https://127.0.0.1:6443'],
      ['the namespace of a context', 'cl config set contexts.work.namespace home'],
    ],
    load: async () => (await import('./set-property.ts')).setProperty,
  }),
  command({
    name: 'config unset',
    summary: 'remove a property, an entry or a list of the client config',
    usage: 'PROPERTY',
    words: [1, 1],
    flags: async () => (await import('./flags.ts')).noFlags,
    examples: [
      ['a namespace', 'cl config unset contexts.work.namespace'],
      ['a user', 'cl config unset users.ann'],
    ],
    load: async () => (await import('./set-property.ts')).unsetProperty,
  }),
  command({
    name: 'config merge',
    summary: 'add the clusters, users and contexts of a file to the client config',
    usage: 'FILE',
    words: [1, 1],
    completes: 'file',
    flags: async () => (await import('./flags.ts')).mergeFlags,
    examples: [
      ['of "cl up", and use it', 'cl config merge .cl/admin.clientconfig --use'],
      ['of another machine', 'cl config merge work.clientconfig'],
    ],
    load: async () => (await import('./merge.ts')).merge,
  }),
]);
