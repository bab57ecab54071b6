/** The names of the types of requests and namespaces in policies begin with this. */
export const requestTypes = 'kubernetes.';
