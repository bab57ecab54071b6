/** The scheme of bearer tokens; client certificates have no form in OpenAPI v2 and v3.0. */
export const bearerToken = {
  BearerToken: { description: 'Authenticates by a bearer token.', type: 'apiKey', name: 'authorization', in: 'header' },
} as const;

/** The security requirement of every operation. */
export const securityRequirement = [{ BearerToken: [] }] as const;
