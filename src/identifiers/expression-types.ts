/** The prefix of the names of library types in messages about expressions. */
export const libraryTypes = 'kubernetes.';

/** The prefix of the names of types that ask an authorizer. */
export const authorizationTypes = `${libraryTypes}authorization.`;
