/** The domain of the host names of stand-in nodes. No name server knows it (RFC 2606). */
export const standInHosts = 'stand-in.invalid';
