/** The release of the API that this server speaks for: clients decide by it what they may ask for. */
export const apiRelease = { major: '1', minor: '23', patch: '0' } as const;
