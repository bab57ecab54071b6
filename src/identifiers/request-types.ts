/** The prefix of the names of the types of requests and namespaces in policies. */
export const requestTypes = 'kubernetes.';
