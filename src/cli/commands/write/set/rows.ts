import { type Command, command, inSection } from '../../../command.ts';

const common = { completes: 'type-and-names' } as const;

/** The commands that set a field of objects. */
export const setCommands: readonly Command[] = inSection('Write', [
  command({
    ...common,
    name: 'set image',
    summary: 'change the images of containers',
    usage: 'TYPE/NAME | TYPE NAME | -f FILE CONTAINER=IMAGE...',
    flags: async () => (await import('./flags.ts')).setPlainFlags,
    examples: [
      ['of one container', 'cl set image deployment/web web=nginx:1.27'],
      ['of all containers', 'cl set image deployment/web "*=nginx:1.27"'],
    ],
    load: async () => (await import('./set-fields.ts')).setImage,
  }),
  command({
    ...common,
    name: 'set env',
    summary: 'set, remove or show environment variables of containers',
    usage: 'TYPE/NAME | TYPE NAME | -f FILE NAME=VALUE... NAME-...',
    flags: async () => (await import('./flags.ts')).setEnvFlags,
    examples: [
      ['one variable, and without another', 'cl set env deployment/web LEVEL=debug OLD-'],
      ['the keys of a ConfigMap', 'cl set env deployment/web --from=configmap/settings --prefix=APP_'],
      ['what there is', 'cl set env deployment/web --list'],
    ],
    load: async () => (await import('./set-env.ts')).setEnv,
  }),
  command({
    ...common,
    name: 'set resources',
    summary: 'set requests and limits of containers',
    usage: 'TYPE/NAME | TYPE NAME | -f FILE --limits=LIMITS --requests=REQUESTS',
    flags: async () => (await import('./flags.ts')).setResourcesFlags,
    examples: [
      ['of all containers', 'cl set resources deployment/web --limits=cpu=1,memory=512Mi'],
      ['requests of one container', 'cl set resources deployment/web -c web --requests=cpu=100m'],
    ],
    load: async () => (await import('./set-fields.ts')).setResources,
  }),
  command({
    ...common,
    name: 'set serviceaccount',
    aliases: ['set sa'],
    summary: 'set the service account of pods',
    usage: 'TYPE/NAME | TYPE NAME | -f FILE ACCOUNT',
    flags: async () => (await import('./flags.ts')).setPlainFlags,
    examples: [
      ['of a deployment', 'cl set serviceaccount deployment/web web'],
      ['as YAML', 'cl set serviceaccount deployment/web web --dry-run=client -o yaml'],
    ],
    load: async () => (await import('./set-fields.ts')).setServiceAccount,
  }),
  command({
    ...common,
    name: 'set selector',
    summary: 'set the selector of a Service',
    usage: 'TYPE/NAME | TYPE NAME | -f FILE KEY=VALUE,...',
    flags: async () => (await import('./flags.ts')).setSelectorFlags,
    examples: [
      ['of a service', 'cl set selector service/web app=web,tier=front'],
      ['what a file would become', 'cl set selector -f service.yaml app=web --local -o yaml'],
    ],
    load: async () => (await import('./set-fields.ts')).setSelector,
  }),
  command({
    ...common,
    name: 'set subject',
    summary: 'add users, groups and service accounts to a binding',
    usage: 'TYPE/NAME | TYPE NAME | -f FILE --user=USER',
    flags: async () => (await import('./flags.ts')).setSubjectFlags,
    examples: [
      ['a user and a service account', 'cl set subject rolebinding/admins --user=ann --serviceaccount=work:bot'],
      ['a group, of the bindings of a file', 'cl set subject -f bindings.yaml --group=ops'],
    ],
    load: async () => (await import('./set-fields.ts')).setSubject,
  }),
]);
