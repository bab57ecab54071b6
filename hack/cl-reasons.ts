/** Why `cl` lacks a command of kubectl. */
export const commandReasons: Readonly<Record<string, string>> = {
  'kuberc set': 'aliases and defaults of a shell do the same',
  'kuberc view': 'aliases and defaults of a shell do the same',
};

/** Why `cl` lacks a flag of kubectl, by flag, or by command and flag. */
export const flagReasons: Readonly<Record<string, string>> = {
  'allow-missing-template-keys': 'a key that is missing prints nothing',
  'config set-cluster server': 'the same, with the short form `-s`',
  'disable-compression': 'nothing is compressed',
  kuberc: 'there is no such file',
  'log-flush-frequency': 'nothing is logged to files',
  'match-server-version': 'the versions are in `cl version`',
  password: 'basic authentication is given in the client config',
  profile: 'profiles of a Node program: `node --cpu-prof`',
  'profile-output': 'profiles of a Node program: `node --cpu-prof`',
  'save-config': 'applies are server-side, and need no annotation',
  'run filename': 'has no effect in kubectl: the pod is made from flags',
  'run kustomize': 'has no effect in kubectl: the pod is made from flags',
  'run recursive': 'has no effect in kubectl: the pod is made from flags',
  username: 'basic authentication is given in the client config',
  vmodule: 'there are no logs of source files',
};
