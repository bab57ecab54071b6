import { showModal } from '../page/show-modal.ts';

/** The keys and what they do. */
const shortcuts: readonly (readonly [keys: string, effect: string])[] = [
  ['/', 'filter the rows'],
  ['k', 'filter the kinds'],
  ['n', 'choose namespaces'],
  ['t', 'go to the table'],
  ['↑ ↓ PgUp PgDn', 'move in the table'],
  ['Enter', 'open the object'],
  ['e', 'edit the object'],
  ['Ctrl+Enter', 'preview, then save'],
  ['b', 'back to the table of the kind'],
  ['c', 'create an object'],
  ['m', 'metrics of the server'],
  ['Escape', 'close, cancel'],
  ['?', 'these keys'],
];

/** The elements that single keys go to. */
const targets: Readonly<Record<string, string>> = {
  '/': '#filter',
  k: '#kind-filter',
  n: '#namespaces summary',
  t: '.rows',
};
const clicked: Readonly<Record<string, string>> = { e: '#edit', b: '#back', c: '#create', m: '#metrics' };

/** Follows the keys of a page; returns the function that ends it. */
export function followKeys(showHelp: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return;
    if (target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) {
      if (key !== 'Escape') return;
      // The browser would clear a filter without an event, so that it stayed in effect.
      event.preventDefault();
      target.blur();
      return;
    }
    // The table moves with this key itself.
    if (key === 'k' && target instanceof HTMLElement && target.classList.contains('rows')) return;
    if (key === '?') return showHelp();
    const [focus, click] = [targets, clicked].map((table) => (Object.hasOwn(table, key) ? table[key] : undefined));
    // The key is no text of the field that gets the focus.
    if (focus !== undefined || click !== undefined) event.preventDefault();
    if (focus !== undefined) document.querySelector<HTMLElement>(focus)?.focus();
    else if (click !== undefined) document.querySelector<HTMLElement>(click)?.click();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

/** The list of keys. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  return (
    <dialog ref={showModal} onClose={onClose} aria-label="Keys">
      <h2>Keys</h2>
      <dl>
        {shortcuts.map(([keys, effect]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button autofocus>Close</button>
      </form>
    </dialog>
  );
}
