import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { hasReason } from '../../client/status-error.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { mergeChanges } from '../page/merge-changes.ts';
import { readYaml, yamlOf } from '../page/yaml-text.ts';
import { revisionOf } from '../server/object-feed.ts';
import { withQuery } from '../server/paths.ts';
import { sendJson } from '../server/send.ts';
import { Diff } from './diff.tsx';
import { Refusal } from './refusal.tsx';

interface EditorProps {
  /** Where the object is sent to. */
  readonly path: string;
  readonly method: 'PUT' | 'POST';
  /** The object as it was read; an example for a new one. */
  readonly base: JsonObject;
  /** The object as it is now, if it is followed. */
  readonly current?: JsonObject | undefined;
  readonly isDeleted?: boolean;
  readonly onSaved: (object: JsonObject) => void;
  readonly onCancel: () => void;
}

/** The steps of an edit: the text, what the server would make of it, a refusal, a conflict. */
interface EditState {
  readonly base: JsonObject;
  readonly text: string;
  readonly preview?: string;
  readonly failure?: unknown;
  /** The object as another writer left it. */
  readonly latest?: JsonObject;
}

/** An object as YAML to change. It is tried on the server and compared before it is saved. */
export function Editor({ path, method, base: given, current, isDeleted, onSaved, onCancel }: EditorProps) {
  const [state, setState] = useState<EditState>(() => ({ base: given, text: yamlOf(given) }));
  const [isBusy, setBusy] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const { base, text, preview, failure, latest } = state;
  const isChanged = current !== undefined && !isDeleted && revisionOf(current) !== revisionOf(latest ?? base);

  const write = async (dryRun: boolean): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      const query = { fieldManager: 'dashboard', fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined };
      const body = JSON.stringify(readYaml(text));
      const saved = await sendJson<JsonObject>(withQuery(path, query), {
        method,
        body,
        contentType: 'application/json',
      });
      if (dryRun) setState({ base, text, preview: yamlOf(saved) });
      else onSaved(saved);
    } catch (error) {
      const isConflict = method === 'PUT' && hasReason(error, 'Conflict');
      const found = isConflict ? await sendJson<JsonObject>(path).catch(() => undefined) : undefined;
      setState({ base, text, failure: error, ...(found ? { latest: found } : {}) });
    } finally {
      setBusy(false);
    }
  };
  const keepMine = (): void => {
    if (!latest) return;
    try {
      setState({ base: latest, text: yamlOf(mergeChanges(base, readYaml(text), latest)) });
    } catch (error) {
      setState({ ...state, failure: error });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void write(preview === undefined);
    if (event.key === 'Escape') onCancel();
    // A page's shortcuts are no part of a text.
    event.stopPropagation();
  };
  const showLine = (line: number): void => {
    if (area.current) selectLine(area.current, line);
  };
  return (
    <div class="editor" onKeyDown={onKeyDown}>
      <div class="bar">
        {preview === undefined ? (
          <button class="primary" aria-disabled={isBusy} onClick={() => void write(true)}>
            Preview
          </button>
        ) : (
          <>
            <button class="primary" aria-disabled={isBusy} onClick={() => void write(false)}>
              {method === 'PUT' ? 'Save' : 'Create'}
            </button>
            <button onClick={() => setState({ base, text })}>Back to the text</button>
          </>
        )}
        <button onClick={onCancel}>Cancel</button>
        <span class="hint">Ctrl+Enter goes on, Escape cancels</span>
      </div>
      {isDeleted && (
        <p class="error" role="alert">
          The object was deleted since you began.
        </p>
      )}
      {isChanged && (
        <p class="notice" role="status">
          The object changed since you began.{' '}
          <button onClick={() => setState({ base, text, latest: current })}>Show the change</button>
        </p>
      )}
      {failure !== undefined && <Refusal failure={failure} text={text} onLine={showLine} />}
      {latest && (
        <Conflict
          base={base}
          latest={latest}
          text={text}
          onKeep={keepMine}
          onDiscard={() => setState({ base: latest, text: yamlOf(latest) })}
        />
      )}
      {preview === undefined ? (
        <textarea
          ref={area}
          aria-label="Object as YAML"
          spellcheck={false}
          value={text}
          onInput={(event) => setState({ ...state, text: event.currentTarget.value })}
        />
      ) : (
        <Diff before={method === 'PUT' ? yamlOf(base) : ''} after={preview} />
      )}
    </div>
  );
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
