import { useEffect, useRef, useState } from 'preact/hooks';
import { hasReason } from '../../client/status-error.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { mergeChanges } from '../page/merge-changes.ts';
import { withQuery } from '../server/paths.ts';
import { sendJson } from '../server/send.ts';
import { messageOf } from '../page/use-async.ts';
import { readYaml, yamlOf } from '../page/yaml-text.ts';
import { Diff } from './diff.tsx';

interface EditorProps {
  /** Where the object is sent to. */
  readonly path: string;
  readonly method: 'PUT' | 'POST';
  /** The object as it was read; an example for a new one. */
  readonly base: JsonObject;
  readonly onSaved: (object: JsonObject) => void;
  readonly onCancel: () => void;
}

/** The steps of an edit: the text, what the server would make of it, a refusal, a conflict. */
interface EditState {
  readonly base: JsonObject;
  readonly text: string;
  readonly preview?: string;
  readonly error?: string;
  /** The object as another writer left it. */
  readonly latest?: JsonObject;
}

/** An object as YAML to change. It is tried on the server and compared before it is saved. */
export function Editor({ path, method, base: given, onSaved, onCancel }: EditorProps) {
  const [state, setState] = useState<EditState>({ base: given, text: yamlOf(given) });
  const [isBusy, setBusy] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const { base, text, preview, error, latest } = state;

  const write = async (dryRun: boolean): Promise<void> => {
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
    } catch (failure) {
      const isConflict = method === 'PUT' && hasReason(failure, 'Conflict');
      const found = isConflict ? await sendJson<JsonObject>(path).catch(() => undefined) : undefined;
      setState({ base, text, error: messageOf(failure), ...(found ? { latest: found } : {}) });
    } finally {
      setBusy(false);
    }
  };
  const keepMine = (): void => {
    if (!latest) return;
    try {
      setState({ base: latest, text: yamlOf(mergeChanges(base, readYaml(text), latest)) });
    } catch (failure) {
      setState({ ...state, error: messageOf(failure) });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void write(preview === undefined);
    if (event.key === 'Escape') onCancel();
    // A page's shortcuts are no part of a text.
    event.stopPropagation();
  };
  return (
    <div class="editor" onKeyDown={onKeyDown}>
      <div class="bar">
        {preview === undefined ? (
          <button class="primary" disabled={isBusy} onClick={() => void write(true)}>
            Preview
          </button>
        ) : (
          <>
            <button class="primary" disabled={isBusy} onClick={() => void write(false)}>
              {method === 'PUT' ? 'Save' : 'Create'}
            </button>
            <button onClick={() => setState({ base, text })}>Back to the text</button>
          </>
        )}
        <button onClick={onCancel}>Cancel</button>
        <span class="hint">Ctrl+Enter goes on, Escape cancels</span>
      </div>
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {latest && (
        <div class="conflict">
          <p>Another writer changed the object since you began:</p>
          <Diff before={yamlOf(base)} after={yamlOf(latest)} />
          <button class="primary" onClick={keepMine}>
            Make my changes in the newest
          </button>{' '}
          <button onClick={() => setState({ base: latest, text: yamlOf(latest) })}>Discard my changes</button>
        </div>
      )}
      {preview === undefined ? (
        <textarea
          ref={area}
          aria-label="Object as YAML"
          spellcheck={false}
          value={text}
          onInput={(event) => setState({ base, text: event.currentTarget.value })}
        />
      ) : (
        <Diff before={method === 'PUT' ? yamlOf(base) : ''} after={preview} />
      )}
    </div>
  );
}
