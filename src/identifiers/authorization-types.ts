/** The begin of the names of types that ask an authorizer, as messages of policies show them. */
export const authorizationTypes = 'kubernetes.authorization.';
