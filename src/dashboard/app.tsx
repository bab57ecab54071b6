import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { draftGuard, type DraftQuestion, keepsDraft, leaveDraft } from './page/draft-guard.ts';
import { fragmentOf, readRoute, type Route, titleOf } from './page/route.ts';
import { readKinds } from './server/kinds.ts';
import { endSession, keepToken, session } from './server/session.ts';
import { useAsync } from './page/use-async.ts';
import { AccessPage } from './views/access-page.tsx';
import { CreatePage } from './views/create-page.tsx';
import { KindTree } from './views/kind-tree.tsx';
import { MetricsPage } from './views/metrics-page.tsx';
import { NamespaceChoice } from './views/namespace-choice.tsx';
import { ObjectPage } from './views/object-page.tsx';
import { followKeys, Shortcuts } from './views/shortcuts.tsx';
import { SignedOut, SignIn } from './views/sign-in.tsx';
import { StartPage } from './views/start-page.tsx';
import { TablePage } from './views/table-page.tsx';
import { showModal } from './page/show-modal.ts';

function App() {
  const [access, setSession] = useState({ number: 0, refusal: '' });
  const [isSignedOut, setSignedOut] = useState(false);
  const [isOver, setOver] = useState(false);
  session.onRefused = (refusal) => {
    keepToken('');
    setSignedOut(true);
    setSession(({ number }) => ({ number, refusal }));
  };
  const onSignedIn = (): void => {
    setSignedOut(false);
    setSession(({ number }) => ({ number: number + 1, refusal: '' }));
  };
  const signOut = (): void =>
    leaveDraft(() => {
      setSignedOut(true);
      void endSession().then(setOver);
    });
  const { value: kinds, error } = useAsync(() => readKinds(), String(access.number));
  const { route, question, answer } = useRoute();
  const [hasHelp, setHelp] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    return followKeys(() => setHelp(true));
  }, []);
  const title = titleOf(route);
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (isOver) return <SignedOut />;
  if (isSignedOut || error !== undefined) return <SignIn reason={error ?? access.refusal} onSignedIn={onSignedIn} />;
  if (!kinds) return <p class="hint loading">Reading…</p>;
  const kind = kinds.listed.find((each) => each.group === route.group && each.resource === route.resource);
  const key = `${route.group}/${route.resource}`;
  const isKindPage = route.page === 'kind' || route.page === '';
  const needsKind = isKindPage || route.page === 'access';
  const pageIs = (page: Route['page']): 'page' | undefined => (route.page === page ? 'page' : undefined);
  return (
    <div class={isOpen ? 'shell open' : 'shell'}>
      <header class="top">
        <a class="skip" href={location.hash} onClick={toContent}>
          Skip to the content
        </a>
        <button class="menu-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Kinds
        </button>
        <strong>{location.host}</strong>
        <NamespaceChoice kinds={kinds} route={route} />
        <span class="space" />
        <a id="create" href={fragmentOf({ ...route, page: 'create' })} aria-current={pageIs('create')}>
          Create
        </a>
        <a id="metrics" href={fragmentOf({ ...route, page: 'metrics' })} aria-current={pageIs('metrics')}>
          Metrics
        </a>
        <button class="keys-button" onClick={() => setHelp(true)} title="Keys">
          ?
        </button>
        <button onClick={signOut}>Sign out</button>
      </header>
      <KindTree kinds={kinds} route={route} onChosen={() => setOpen(false)} />
      {/* Without a place that takes the focus it could not be scrolled by keys. */}
      <main tabIndex={route.page === 'metrics' ? 0 : undefined}>
        {route.page === 'metrics' && <MetricsPage />}
        {route.page === 'create' && <CreatePage kinds={kinds} route={route} />}
        {route.page === 'access' && kind && <AccessPage key={key} kinds={kinds} kind={kind} route={route} />}
        {needsKind && !kind && route.resource === '' && <StartPage kinds={kinds} route={route} />}
        {needsKind && !kind && route.resource !== '' && <p class="nothing">The server has no {key}.</p>}
        {isKindPage && kind && route.name === '' && (
          <TablePage key={key} kind={kind} apiDomain={kinds.identifiers.apiDomain} route={route} />
        )}
        {isKindPage && kind && route.name !== '' && <ObjectPage kinds={kinds} kind={kind} route={route} />}
      </main>
      {hasHelp && <Shortcuts onClose={() => setHelp(false)} />}
      {question && <DiscardDialog leave={() => answer(question.leave)} stay={() => answer(question.stay)} />}
    </div>
  );
}

/** Follows the address. A change that loses a draft is shown after a question, or undone. */
function useRoute() {
  const [route, setRoute] = useState(readRoute(location.hash));
  const [question, setQuestion] = useState<DraftQuestion>();
  const shown = useRef(location.hash);
  draftGuard.onQuestion = setQuestion;
  useEffect(() => {
    const show = (): void => {
      shown.current = location.hash;
      setRoute(readRoute(location.hash));
    };
    const stay = (): void => history.replaceState(null, '', shown.current || '#/');
    const changed = (): void => {
      if (!keepsDraft(readRoute(shown.current), readRoute(location.hash))) return leaveDraft(show, stay);
      setQuestion(undefined);
      show();
    };
    globalThis.addEventListener('hashchange', changed);
    return () => globalThis.removeEventListener('hashchange', changed);
  }, []);
  const answer = (then: () => void): void => {
    setQuestion(undefined);
    then();
  };
  return { route, question, answer };
}

/** The fragment names the page, so that a link to a place in it is followed by hand. */
function toContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main [tabindex], main a, main button, main input')?.focus();
}

const root = document.querySelector('#root');
if (root) render(<App />, root);

/** Asks before a draft is discarded. Escape continues the edit. */
function DiscardDialog({ leave, stay }: DraftQuestion) {
  return (
    <dialog
      ref={showModal}
      aria-labelledby="discard-title"
      onClose={(event) => (event.currentTarget.returnValue === 'leave' ? leave() : stay())}
    >
      <h2 id="discard-title">Discard your changes?</h2>
      <p>They are not saved.</p>
      <form method="dialog" class="bar">
        <button class="primary" value="stay" autofocus>
          Go on editing
        </button>
        <button value="leave">Discard changes</button>
      </form>
    </dialog>
  );
}
