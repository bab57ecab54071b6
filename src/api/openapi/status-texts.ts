/** The descriptions of the responses that operations declare. */
export const statusTexts = { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' } as const;
