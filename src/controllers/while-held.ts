import type { CredentialSource } from '../outbound/credentials/credential-source.ts';

/**
 * Credentials that are given only while a lease is held. A process that was stopped for longer than
 * its lease has work before it, and may find out later that another one leads: none of its requests
 * is sent any more. Those that were sent before are not taken back.
 */
export function whileHeld(source: CredentialSource, isHeld: () => boolean): CredentialSource {
  const check = (): void => {
    if (!isHeld()) throw new Error('the lease of the leader was not renewed in time');
  };
  return {
    async get() {
      check();
      const credentials = await source.get();
      check();
      return credentials;
    },
    async renew(refused) {
      check();
      return source.renew(refused);
    },
  };
}
