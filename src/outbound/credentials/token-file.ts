import { readFile } from 'node:fs/promises';
import { bearer, CredentialError, type Credentials, type CredentialSource } from '../config/credential-source.ts';

/** A rotated token is used within this time. */
const tokenFileMs = 60_000;

/** Gives the token in a file, which is read again periodically and after a 401. */
export function tokenFileCredentials(path: string, base: Credentials): CredentialSource {
  let current = { text: '', readAtMs: -Infinity };
  async function read(): Promise<Credentials> {
    try {
      current = { text: (await readFile(path, 'utf8')).trim(), readAtMs: performance.now() };
    } catch (cause) {
      throw new CredentialError(`cannot read the token in ${path}`, { cause });
    }
    return credentials();
  }
  const credentials = (): Credentials => (current.text ? { ...base, authorization: bearer(current.text) } : base);
  return {
    get: async () => (performance.now() - current.readAtMs > tokenFileMs ? read() : credentials()),
    async renew(refused) {
      const found = await read();
      return found.authorization === refused.authorization ? undefined : found;
    },
  };
}
