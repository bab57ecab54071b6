import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DiscoveredResource } from '../../client/discovery.ts';
import { StatusError } from '../../client/error-of-response.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { leaveDraft, useDraftGuard } from '../page/draft-guard.ts';
import { lineOfField } from '../page/field-line.ts';
import { yamlOf } from '../page/yaml-text.ts';
import { revisionOf } from '../server/object-feed.ts';
import { Diff } from './diff.tsx';
import { ObjectForm } from './form/object-form.tsx';
import { Refusal } from './refusal.tsx';
import { type EditTarget, textOfDraft, useEdit } from './use-edit.ts';

interface EditorProps extends EditTarget {
  readonly kind: DiscoveredResource;
  /** The object as it is now, if it is followed. */
  readonly current?: JsonObject | undefined;
  readonly isDeleted?: boolean;
  readonly onCancel: () => void;
}

/**
 * An object to change, as YAML or as a form of its fields. It is tried on the server and compared
 * before it is saved.
 */
export function Editor(props: EditorProps) {
  const { kind, method, current, isDeleted, onCancel } = props;
  const edit = useEdit(props);
  const { base, draft, preview, failure, latest, isForm, isBusy } = edit;
  const [problems, setProblems] = useState(0);
  useDraftGuard(edit.isChanged || problems > 0);
  const cancel = (): void => leaveDraft(onCancel);
  const area = useRef<HTMLTextAreaElement>(null);
  const goOnButton = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => area.current?.setSelectionRange(0, 0), []);
  // The preview hides the text, and with it the focus.
  useLayoutEffect(() => (preview === undefined ? area.current : goOnButton.current)?.focus(), [preview === undefined]);
  const errors = useMemo(() => errorsOf(failure), [failure]);
  const isChanged = current !== undefined && !isDeleted && revisionOf(current) !== revisionOf(latest ?? base);
  const goOn = (): void => {
    if (problems === 0) void edit.write(preview === undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      // A button would be pressed, too.
      event.preventDefault();
      goOn();
    }
    if (event.key === 'Escape') {
      // The browser would close the question at once.
      event.preventDefault();
      cancel();
    }
    // A page's shortcuts are no part of a text.
    event.stopPropagation();
  };
  const showLine = (line: number): void => {
    if (area.current) selectLine(area.current, line);
  };
  const lineOf = (field: string): number | undefined => ('text' in draft ? lineOfField(draft.text, field) : undefined);
  return (
    <div class="editor" onKeyDown={onKeyDown}>
      <div class="bar">
        <button class="primary" ref={goOnButton} aria-disabled={isBusy || problems > 0} onClick={goOn}>
          {preview === undefined ? 'Preview' : method === 'PUT' ? 'Save' : 'Create'}
        </button>
        {preview === undefined ? (
          <button aria-disabled={problems > 0} onClick={() => problems === 0 && edit.showOther()}>
            {isForm ? 'As YAML' : 'As form'}
          </button>
        ) : (
          <button onClick={edit.back}>Back to the {isForm ? 'form' : 'text'}</button>
        )}
        <button onClick={cancel}>Cancel</button>
        <span class="hint">Ctrl+Enter goes on, Escape cancels</span>
        {problems > 0 && (
          <span class="error" role="status">
            {problems === 1 ? 'One field has' : `${problems} fields have`} no value that can be sent.
          </span>
        )}
      </div>
      {isDeleted && (
        <p class="error" role="alert">
          The object was deleted since you began.
        </p>
      )}
      {current && isChanged && (
        <p class="notice" role="status">
          The object changed since you began.{' '}
          <button onClick={() => edit.showConflict(current)}>Show the change</button>
        </p>
      )}
      {failure !== undefined && <Refusal failure={failure} lineOf={lineOf} onLine={showLine} />}
      {latest && (
        <Conflict
          base={base}
          latest={latest}
          text={textOfDraft(draft)}
          onKeep={edit.keepMine}
          onDiscard={edit.discardMine}
        />
      )}
      {preview !== undefined && <Diff before={method === 'PUT' ? yamlOf(base) : ''} after={preview} />}
      {/* Hidden during a preview, so that open folds stay. */}
      <div hidden={preview !== undefined}>
        {'object' in draft ? (
          <ObjectForm
            kind={kind}
            object={draft.object}
            edit={{ exists: method === 'PUT', errors, onChange: edit.change, onProblems: setProblems }}
          />
        ) : (
          <textarea
            ref={area}
            aria-label="Object as YAML"
            spellcheck={false}
            value={draft.text}
            onInput={(event) => edit.setText(event.currentTarget.value)}
          />
        )}
      </div>
    </div>
  );
}

/** The errors of the server by the paths of their fields. */
function errorsOf(failure: unknown): ReadonlyMap<string, string> {
  const causes = failure instanceof StatusError ? (failure.status.details?.causes ?? []) : [];
  return new Map(causes.flatMap(({ field, message }) => (field ? [[field, message ?? '']] : [])));
}

interface ConflictProps {
  readonly base: JsonObject;
  readonly latest: JsonObject;
  readonly text: string;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Both versions of an object that two writers changed, as differences from the common one. */
function Conflict({ base, latest, text, onKeep, onDiscard }: ConflictProps) {
  const before = useMemo(() => yamlOf(base), [base]);
  const theirs = useMemo(() => <Diff before={before} after={yamlOf(latest)} label="Their changes" />, [before, latest]);
  // The text is compared as it was when the conflict was found, and not at each key.
  const mine = useMemo(() => <Diff before={before} after={text} label="Your changes" />, [before, latest]);
  return (
    <div class="conflict">
      <p>Another writer changed the object since you began:</p>
      {theirs}
      <p>Your changes:</p>
      {mine}
      <button class="primary" onClick={onKeep}>
        Make my changes in the newest
      </button>{' '}
      <button onClick={onDiscard}>Discard my changes</button>
    </div>
  );
}

/** Selects a line of a text, from 1 on, and scrolls to it. */
function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, line - 4);
}
