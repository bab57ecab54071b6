import type { Identifiers } from '../../identifiers/identifiers.ts';

/** Creates the function that returns the value for a user in metrics, from a small set. */
export function usernameLabels({ prefix, nodeAgent }: Identifiers): (username: string) => string {
  const shown: ReadonlySet<string> = new Set([
    'admin',
    'client',
    `${prefix.replace('-', '_')}proxy`,
    nodeAgent,
    `system:serviceaccount:${prefix}system:default`,
  ]);
  return (username) => {
    if (shown.has(username)) return username;
    return username.includes('@') ? 'email_id' : 'other';
  };
}
