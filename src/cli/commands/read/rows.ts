import { type Command, command, inSection } from '../../command.ts';

/** The commands that read. */
export const readCommands: readonly Command[] = inSection('Read', [
  command({
    name: 'get',
    summary: 'show objects',
    usage: 'TYPE[.VERSION][.GROUP] [NAME...] | TYPE/NAME... | -f FILE | --raw PATH',
    completes: 'type-and-names',
    flags: async () => (await import('./flags.ts')).getFlags,
    examples: [
      ['the pods of the namespace', 'cl get pods'],
      ['two objects as YAML', 'cl get secret/a service/b -o yaml'],
      ['deployments of all namespaces with a label, and their changes', 'cl get deployments -A -l app=web -w'],
    ],
    load: async () => (await import('./get.ts')).get,
  }),
  command({
    name: 'wait',
    summary: 'wait until objects are in a state',
    usage: 'TYPE/NAME... --for=STATE | TYPE [NAME...] --for=STATE | -f FILE --for=STATE',
    completes: 'type-and-names',
    flags: async () => (await import('./wait-flags.ts')).waitFlags,
    examples: [
      ['until a pod is ready', 'cl wait pod/web --for=condition=Ready --timeout=60s'],
      ['until pods with a label are gone', 'cl wait pod -l app=web --for=delete'],
      ['until a field has a value', "cl wait pod/web --for=jsonpath='{.status.phase}'=Running"],
    ],
    load: async () => (await import('./wait.ts')).wait,
  }),
  command({
    name: 'events',
    aliases: ['event', 'ev'],
    summary: 'show events, the latest last',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./events-flags.ts')).eventsFlags,
    examples: [
      ['what happened to a pod, and what happens next', 'cl events --for pod/web -w'],
      ['warnings of all namespaces', 'cl events -A --types=Warning'],
    ],
    load: async () => (await import('./events.ts')).events,
  }),
]);
