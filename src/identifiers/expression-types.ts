/** The begin of the names of types of libraries, as messages about expressions show them. */
export const libraryTypes = 'kubernetes.';

/** The begin of the names of types that ask an authorizer. */
export const authorizationTypes = `${libraryTypes}authorization.`;
