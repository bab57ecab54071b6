/** The headers that proxies use by default. */
const proxyHeaders = /^x-remote-(?:user|uid|group|extra-)/;
import { memoizeText } from '../../meta/memoize.ts';

/** An authenticator, as far as it names headers. */
interface CredentialHeaderTest {
  /** True for a header with credentials of its own; its name is given in lower case. */
  isCredentialHeader?(name: string): boolean;
}

/**
 * Returns a test for the names of headers with credentials, or with a user that only a trusted
 * proxy may send. They are removed from requests, so that nothing behind this server believes
 * them. Underscores count as hyphens, because some servers read them so.
 */
export function credentialHeaders(authenticators: readonly CredentialHeaderTest[]): (name: string) => boolean {
  // Most requests have the same names.
  return memoizeText(
    (name) => {
      const normal = name.toLowerCase().replaceAll('_', '-');
      return (
        normal === 'authorization' ||
        proxyHeaders.test(normal) ||
        authenticators.some((one) => one.isCredentialHeader?.(normal))
      );
    },
    { most: 1024 },
  );
}
