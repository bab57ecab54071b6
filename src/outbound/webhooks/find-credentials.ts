import type { UserCredentials } from '../config/read-user.ts';

const httpsPort = 443;

/**
 * Finds the credentials for a server in a client config, by the names of their users: a host with
 * its port, or without it for port 443; `*.` in place of the first labels of a host; `*` for all
 * others. The longest name wins.
 */
export function findCredentials(
  users: ReadonlyMap<string, UserCredentials>,
  host: string,
  port: number,
): UserCredentials | undefined {
  const targets = [`${host}:${port}`, ...(port === httpsPort ? [host] : [])];
  const name = [...targets.flatMap(namesOf), '*'].find((candidate) => users.has(candidate));
  return name === undefined ? undefined : users.get(name);
}

/** `a.b.c` is named by its own name, `*.b.c` and `*.c`. */
function namesOf(target: string): readonly string[] {
  const labels = target.split('.');
  return [target, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}
