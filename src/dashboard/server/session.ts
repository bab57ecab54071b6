/** The key of the token in the storage of the tab, which ends with the tab. */
const key = 'token';

/** The credential of this tab, and a way to hear of its end. */
export const session = {
  /** The bearer token; '' if the connection identifies the user. */
  token: sessionStorage.getItem(key) ?? '',
  /** Called when the server refused the credential. */
  onRefused: (): void => {},
};

/** Keeps a token until the tab is closed. '' forgets it. */
export function keepToken(token: string): void {
  session.token = token;
  if (token === '') sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, token);
}
