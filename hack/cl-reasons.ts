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

/** What `cl` does otherwise than kubectl on purpose, by commands: the tests compare all else. */
export const outputReasons: Readonly<Record<string, string>> = {
  'all commands':
    'a group without a command (`cl rollout`) and with the word help prints its help and ends with 0; usage is not printed after an error; of more than 100 causes of a refusal the others are counted; a client config that `cl up` of the same user wrote below the working directory is used',
  'all commands, YAML of objects that flags made':
    'fields without a value, such as `status: {}`, are not added to objects of files with `--local`',
  'api-resources, events, options, version, whoami': 'words that mean nothing are refused',
  'apply --applyset': 'an object of another set is refused, and taken over with `--force-conflicts`',
  'apply view-last-applied': 'an object that was not applied is an error',
  'auth reconcile':
    'kubectl 1.36.4 ends in a crash where it would write; a line says what became of an object: created, reconciled, recreated, unchanged or left alone',
  'cluster-info': 'names the commands of `cl` that look closer',
  config:
    'a second entry of a name, and entries that are not understood, stay in the file; control characters in names are shown as signs',
  'config delete-context': 'an error without a name',
  'config get-clusters': 'in the order of the file',
  'config set-credentials --exec-command': 'writes the `interactiveMode` that version 1 of the format needs',
  cp: 'what tar says is shown, and a copy that failed is an error',
  'create, delete, replace --raw': '`--dry-run` is refused, which would be no dry run',
  'create deployment --image': 'the name of a container has no random end',
  'create deployment --replicas': 'a negative number is refused',
  describe:
    'control characters are replaced; columns are as wide as their cells; scopes of quotas are explained in other words',
  'describe statefulset': 'shows what becomes of the claims',
  events: 'a message stays in one line; `-o name` prints names',
  'get -f': 'a file without objects is an error',
  'get -o go-template': 'a failure is a line on stderr, without the template and its data',
  'get --sort-by': 'a field that no object has and a wrong path are errors, not an empty list',
  'patch --local': 'needs a type of patch that a client can apply',
  'replace --force': 'deletes nothing if the server would refuse the new object',
  'set env': 'an error without a variable',
  'set serviceaccount': 'says nothing if nothing changes',
  'taint --dry-run=client': 'the line says that it was a dry run',
};
