import { type Command, command, inSection } from '../../command.ts';

/** The commands that look closely at objects and at the server. */
export const inspectCommands: readonly Command[] = inSection('Read', [
  command({
    name: 'describe',
    summary: 'show objects in full, with what belongs to them and their Events',
    usage: 'TYPE [NAME_PREFIX... | -l SELECTOR] | TYPE/NAME... | -f FILE | -k FOLDER',
    completes: 'type-and-names',
    flags: async () => (await import('./flags.ts')).describeFlags,
    examples: [
      ['a node, its pods and what they ask for', 'cl describe node node-1'],
      ['the pods whose names begin so', 'cl describe pod web-'],
      ['what a file has', 'cl describe -f app.yaml'],
    ],
    load: async () => (await import('./describe.ts')).describe,
  }),
  command({
    name: 'tree',
    summary: 'show the owners and dependents of an object, with their states',
    usage: 'TYPE NAME | TYPE/NAME',
    words: [1, 2],
    completes: 'type-and-names',
    flags: async () => (await import('./flags.ts')).treeFlags,
    examples: [
      ['a deployment, its replica sets and pods', 'cl tree deployment web'],
      ['the owners of a pod', 'cl tree pod/web-1'],
    ],
    load: async () => (await import('./tree.ts')).tree,
  }),
  command({
    name: 'why',
    summary: 'say why objects are not ready, not scheduled or not deleted, and what to do',
    usage: 'TYPE NAME... | TYPE/NAME...',
    words: [1, Infinity],
    completes: 'type-and-names',
    flags: async () => (await import('./flags.ts')).whyFlags,
    examples: [
      ['a deployment that lacks pods', 'cl why deployment web'],
      ['a namespace that is not deleted', 'cl why ns/old'],
    ],
    load: async () => (await import('./why.ts')).why,
  }),
  command({
    name: 'cluster-info',
    summary: 'show the addresses of the control plane and of the Services of the cluster',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).clusterInfoFlags,
    examples: [
      ['the address of the server', 'cl cluster-info'],
      ['with a context', 'cl cluster-info --context=work'],
    ],
    load: async () => (await import('./cluster-info.ts')).clusterInfo,
  }),
  command({
    name: 'cluster-info dump',
    summary: 'write nodes, workloads, Events and logs for a look at the whole cluster',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).clusterInfoDumpFlags,
    examples: [
      ['everything, in a folder', 'cl cluster-info dump -A --output-directory=state'],
      ['two namespaces as YAML', 'cl cluster-info dump --namespaces=default,shop -o yaml'],
    ],
    load: async () => (await import('./cluster-info-dump.ts')).clusterInfoDump,
  }),
  command({
    name: 'top node',
    aliases: ['top nodes', 'top no'],
    summary: 'show what nodes use of processors and memory',
    usage: '[NAME | -l SELECTOR]',
    words: [0, 1],
    completes: 'node',
    flags: async () => (await import('./flags.ts')).topNodeFlags,
    examples: [
      ['the nodes that use most memory first', 'cl top node --sort-by=memory'],
      ['one node', 'cl top node node-1'],
    ],
    load: async () => (await import('./top.ts')).topNode,
  }),
  command({
    name: 'top pod',
    aliases: ['top pods', 'top po'],
    summary: 'show what pods use of processors and memory',
    usage: '[NAME | -l SELECTOR]',
    words: [0, 1],
    completes: 'pod',
    flags: async () => (await import('./flags.ts')).topPodFlags,
    examples: [
      ['all pods and their sum', 'cl top pod -A --sum'],
      ['the containers of a pod', 'cl top pod web-1 --containers'],
    ],
    load: async () => (await import('./top.ts')).topPod,
  }),
  command({
    name: 'diff',
    summary: 'show what applying files would change, or what changed between two revisions of the store',
    usage: '-f FILE | -k FOLDER | --revisions=A..B TYPE [NAME...]',
    completes: 'type-and-names',
    flags: async () => (await import('./flags.ts')).diffFlags,
    examples: [
      ['a file against the server', 'cl diff -f app.yaml'],
      ['with another program', 'CL_EXTERNAL_DIFF="diff -y" cl diff -f app.yaml'],
      ['what became of the deployments since a revision', 'cl diff deployments --revisions=1200..'],
    ],
    load: async () => (await import('./diff.ts')).diff,
  }),
]);
