/** The API release that `/version` reports; clients derive supported features from it. */
export const apiRelease = { major: '1', minor: '23', patch: '0' } as const;
