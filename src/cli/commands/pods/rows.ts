import { type Command, command, inSection } from '../../command.ts';

/** The commands about programs in pods. */
export const podCommands: readonly Command[] = inSection('Pods', [
  command({
    name: 'logs',
    summary: 'print the logs of containers',
    usage: 'POD | TYPE/NAME [CONTAINER] | -l SELECTOR',
    words: [0, 2],
    completes: 'pod',
    flags: async () => (await import('./flags.ts')).logsFlags,
    examples: [
      ['a pod, and what is written later', 'cl logs -f web'],
      [
        'the last lines of all containers of a deployment',
        'cl logs deployment/web --all-pods --all-containers --tail=20',
      ],
      ['all pods with a label', 'cl logs -l app=web --prefix'],
    ],
    load: async () => (await import('./logs.ts')).logs,
  }),
  command({
    name: 'exec',
    summary: 'run a program in a container',
    usage: 'POD | TYPE/NAME -- PROGRAM [ARGUMENT...]',
    completes: 'pod',
    flags: async () => (await import('./flags.ts')).execFlags,
    examples: [
      ['a program', 'cl exec web -- ls /'],
      ['a shell in a container', 'cl exec -it web -c main -- sh'],
      ['with an input', 'echo hello | cl exec -i deployment/web -- cat'],
    ],
    load: async () => (await import('./exec.ts')).exec,
  }),
  command({
    name: 'attach',
    summary: 'connect to the main program of a container',
    usage: 'POD | TYPE/NAME',
    words: [1, 1],
    completes: 'pod',
    flags: async () => (await import('./flags.ts')).attachFlags,
    examples: [
      ['see what it prints', 'cl attach web'],
      ['with the terminal', 'cl attach -it web -c main'],
    ],
    load: async () => (await import('./attach.ts')).attach,
  }),
  command({
    name: 'port-forward',
    summary: 'lead ports of this machine to ports of a pod',
    usage: 'POD | TYPE/NAME [LOCAL:]REMOTE...',
    words: [2, Infinity],
    completes: 'pod',
    flags: async () => (await import('./flags.ts')).portForwardFlags,
    examples: [
      ['the port 8080 of a pod, here 8080', 'cl port-forward web 8080'],
      ['the port named http of a service, here a free one', 'cl port-forward service/web :http'],
      ['for other machines too', 'cl port-forward --address 0.0.0.0 deployment/web 8888:80'],
    ],
    load: async () => (await import('./port-forward.ts')).portForward,
  }),
  command({
    name: 'cp',
    summary: 'copy files and folders to and from a container',
    usage: 'PATH [NAMESPACE/]POD:PATH | [NAMESPACE/]POD:PATH PATH',
    words: [2, 2],
    completes: 'file',
    flags: async () => (await import('./flags.ts')).cpFlags,
    examples: [
      ['to a pod', 'cl cp settings.json web:/tmp/settings.json'],
      ['a folder from a pod', 'cl cp work/web:/var/log ./log'],
    ],
    load: async () => (await import('./cp.ts')).cp,
  }),
  command({
    name: 'proxy',
    summary: 'serve the API on this machine with your credentials',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).proxyFlags,
    examples: [
      ['on a free port', 'cl proxy --port=0'],
      ['with a folder of pages', 'cl proxy --www=./site --www-prefix=/site/ --api-prefix=/api-server/'],
    ],
    load: async () => (await import('./proxy.ts')).proxy,
  }),
  command({
    name: 'debug',
    summary: 'add a container to a pod, copy a pod, or start a pod on a node, to find what is wrong',
    usage: 'POD | TYPE/NAME | -f FILE --image=IMAGE [-- PROGRAM [ARGUMENT...]]',
    completes: 'pod',
    flags: async () => (await import('./flags.ts')).debugFlags,
    examples: [
      ['a container in a running pod', 'cl debug web --image=busybox'],
      ['a copy of a pod with another image', 'cl debug web --copy-to=web-debug --set-image=*=busybox'],
      ['a pod on a node', 'cl debug node/node-1 --image=busybox'],
      ['with other fields of the container', 'cl debug web --image=busybox --custom=container.yaml'],
    ],
    load: async () => (await import('./debug.ts')).debug,
  }),
]);
