import type { DraftQuestion } from '../page/draft-guard.ts';
import { showModal } from '../page/show-modal.ts';

/** Asks before changes are lost. Escape goes on with the edit. */
export function DiscardDialog({ leave, stay }: DraftQuestion) {
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
