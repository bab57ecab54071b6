import { useState } from 'preact/hooks';
import { keepToken } from '../server/session.ts';
import { send } from '../server/send.ts';
import { messageOf } from '../page/use-async.ts';

/** The form for the token of a user. `reason` says why it is shown. */
export function SignIn({ reason, onSignedIn }: { readonly reason: string; readonly onSignedIn: () => void }) {
  const [error, setError] = useState(reason);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const token = data.get('token');
    keepToken(typeof token === 'string' ? token.trim() : '');
    send('/apis').then(onSignedIn, (failure: unknown) => {
      keepToken('');
      setError(messageOf(failure));
    });
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit} aria-labelledby="sign-in-title">
        <h1 id="sign-in-title">Sign in</h1>
        <label for="token">Token</label>
        <input id="token" name="token" type="password" autocomplete="off" spellcheck={false} autofocus />
        <button class="primary">Sign in</button>
        {error !== '' && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        <p class="hint">
          The token stays in this tab until it is closed. A client certificate of the browser signs you in without one.
        </p>
      </form>
    </main>
  );
}

/** The page after a session that `cl dashboard` has ended. */
export function SignedOut() {
  return (
    <main class="sign-in">
      <section>
        <h1>Signed out</h1>
        <p>This browser has no more access. The command has printed a new link.</p>
      </section>
    </main>
  );
}
