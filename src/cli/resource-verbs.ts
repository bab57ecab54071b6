const requestVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'proxy', '*'];
const checkedVerbs = ['use', 'bind', 'escalate', 'impersonate', 'approve', 'sign', 'attest'];

/** The verbs of resource requests, and of the additional checks of some resources. */
export const resourceVerbs: ReadonlySet<string> = new Set([...requestVerbs, ...checkedVerbs]);
