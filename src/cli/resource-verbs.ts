const requestVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'proxy', '*'];
const checkedVerbs = ['use', 'bind', 'escalate', 'impersonate', 'approve', 'sign', 'attest'];

/** The verbs of requests for resources, and those of the checks that some resources make. */
export const resourceVerbs: ReadonlySet<string> = new Set([...requestVerbs, ...checkedVerbs]);
