import { type Command, command, inSection } from '../../command.ts';

/** The commands that show the types of a server. */
export const typeCommands: readonly Command[] = inSection('Read', [
  command({
    name: 'api-resources',
    summary: 'list the types of objects',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).apiResourcesFlags,
    examples: [
      ['the types of objects in namespaces that can be listed', 'cl api-resources --namespaced --verbs=list -o name'],
      ['the types of a group', 'cl api-resources --api-group=apps'],
    ],
    load: async () => (await import('./api-resources.ts')).apiResources,
  }),
  command({
    name: 'api-versions',
    summary: 'list the API versions',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).apiVersionsFlags,
    examples: [
      ['the versions, as in apiVersion', 'cl api-versions'],
      ['those of a group', 'cl api-versions | grep ^apps/'],
    ],
    load: async () => (await import('./api-versions.ts')).apiVersions,
  }),
  command({
    name: 'explain',
    summary: 'describe the fields of a type',
    usage: 'TYPE[.FIELD...]',
    words: [1, 1],
    completes: 'type-and-names',
    flags: async () => (await import('./flags.ts')).explainFlags,
    examples: [
      ['the fields of a pod', 'cl explain pods'],
      ['a field', 'cl explain deployment.spec.strategy'],
      ['all fields below it', 'cl explain cronjobs.spec --recursive'],
    ],
    load: async () => (await import('./explain.ts')).explain,
  }),
]);
