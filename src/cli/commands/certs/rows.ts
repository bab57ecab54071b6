import { type Command, command, inSection } from '../../command.ts';

/** The commands that make, renew and check the certificates of a cluster. */
export const certsCommands: readonly Command[] = inSection('Start', [
  command({
    name: 'certs create',
    summary: 'make the CAs, certificates, keys and client configs of a cluster; existing files are kept',
    usage: '[NAME...]',
    flags: async () => (await import('./flags.ts')).createFlags,
    examples: [
      ['for servers on this machine', 'cl certs create'],
      [
        'for two servers behind a balancer, three members of etcd, and two nodes',
        'cl certs create --names=api.example.com,10.0.0.11,10.0.0.12 --etcd-members=a=10.0.0.21,b=10.0.0.22,c=10.0.0.23 --nodes=n1,n2 --server=https://api.example.com:6443',
      ],
      ['a further node, with the CA that exists', 'cl certs create node-n3 --nodes=n3'],
      ['one certificate again, with another key and names', 'cl certs create apiserver --names=10.0.0.13 --overwrite'],
    ],
    load: async () => (await import('./create-certs.ts')).createCerts,
  }),
  command({
    name: 'certs renew',
    summary: 'issue certificates again with the same names and keys; by default all but those of CAs',
    usage: '[NAME...]',
    flags: async () => (await import('./flags.ts')).renewFlags,
    examples: [
      ['all that end within thirty days, as in a timer', 'cl certs renew --within=720h'],
      ['one, with a new key', 'cl certs renew apiserver --new-keys'],
      ['a CA, with the same key: what it has signed stays valid', 'cl certs renew client-ca'],
    ],
    load: async () => (await import('./renew-certs.ts')).renewCerts,
  }),
  command({
    name: 'certs check',
    summary: 'print when certificates expire; the exit code is 1 if one expires soon, or does not match its CA or key',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).checkFlags,
    examples: [
      ['those of "cl up" in this folder', 'cl certs check --cert-dir=.cl/pki'],
      ['for a monitoring script', 'cl certs check --within=336h -o json'],
    ],
    load: async () => (await import('./check-certs.ts')).checkCerts,
  }),
]);
