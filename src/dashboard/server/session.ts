/** The key of the token in the storage of the tab, which ends with the tab. */
const key = 'token';

/** The credential of this tab, and a way to hear of its end. */
export const session = {
  /** The bearer token; '' if the connection identifies the user. */
  token: sessionStorage.getItem(key) ?? '',
  /** Called with the reason when the server refused the credential. */
  onRefused: (_reason: string): void => {},
};

/** Keeps a token until the tab is closed. '' forgets it. */
export function keepToken(token: string): void {
  session.token = token;
  if (token === '') sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, token);
}

/**
 * Ends the session. Resolves with true if `cl dashboard` serves the page and has ended it too;
 * other servers have no session to end.
 */
export async function endSession(): Promise<boolean> {
  const hadToken = session.token !== '';
  keepToken('');
  if (hadToken) return false;
  try {
    const { status } = await fetch('/dashboard/sign-out', { method: 'POST' });
    return status === 204;
  } catch {
    return false;
  }
}
