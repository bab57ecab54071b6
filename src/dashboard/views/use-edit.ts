import { useMemo, useState } from 'preact/hooks';
import { hasReason } from '../../client/error-of-response.ts';
import { encodeJson } from '../../codec/encode-json.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { draftGuard } from '../page/draft-guard.ts';
import { mergeChanges } from '../page/merge-changes.ts';
import { readYaml, withoutManagers, yamlOf } from '../page/yaml-text.ts';
import { withQuery } from '../server/paths.ts';
import { sendJson } from '../server/send.ts';

/** An object that is written: as text, or as the value of a form. */
type Draft = { readonly text: string } | { readonly object: JsonObject };

/** The steps of an edit: the draft, the server's version of it, a refusal, a conflict. */
interface EditState {
  readonly base: JsonObject;
  readonly draft: Draft;
  /** The object as the server would store it, as YAML. */
  readonly preview?: string;
  readonly failure?: unknown;
  /** The object as another writer left it. */
  readonly latest?: JsonObject;
}

/** The object of an edit, and the place that it is sent to. */
export interface EditTarget {
  /** The address for a draft. Throws an error for a draft that has none. */
  readonly pathOf: (draft: JsonObject) => string;
  readonly method: 'PUT' | 'POST';
  /** The object as it was read; an example for a new one. */
  readonly base: JsonObject;
  /** True to begin with the form of fields. */
  readonly asForm?: boolean;
  readonly onSaved: (object: JsonObject) => void;
}

/** The state of an edit, and its steps. */
export function useEdit({ pathOf, method, base: given, asForm = false, onSaved }: EditTarget) {
  const [state, setState] = useState<EditState>(() => ({ base: given, draft: draftOf(given, asForm) }));
  const [isBusy, setBusy] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const { base, draft, latest } = state;
  const start = useMemo(() => yamlOf(base), [base]);
  const isForm = 'object' in draft;

  const write = async (dryRun: boolean): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    let path = '';
    try {
      const object = objectOf(draft);
      path = pathOf(object);
      const query = { fieldManager: 'dashboard', fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined };
      const sent = { method, body: encodeJson(object), contentType: 'application/json' };
      const saved = await sendJson<JsonObject>(withQuery(path, query), sent);
      if (dryRun) setState({ base, draft, preview: yamlOf(saved) });
      else {
        draftGuard.isUnsaved = false;
        onSaved(saved);
      }
    } catch (failure) {
      const isConflict = method === 'PUT' && hasReason(failure, 'Conflict');
      const found = isConflict ? await sendJson<JsonObject>(path).catch(() => undefined) : undefined;
      setState({ base, draft, failure, ...(found ? { latest: found } : {}) });
    } finally {
      setBusy(false);
    }
  };
  /** Takes a step that reads the draft, which may be no YAML. */
  const step = (next: () => EditState): void => {
    try {
      setState(next());
    } catch (failure) {
      setState({ ...state, failure });
    }
  };
  return {
    ...state,
    isForm,
    isBusy,
    /** True if something was written that is not in the object as it was read. */
    isChanged,
    write,
    setText: (text: string): void => {
      setChanged(text !== start);
      setState({ ...state, draft: { text } });
    },
    change: (change: (object: JsonObject) => JsonObject): void => {
      setChanged(true);
      setState((known) => ({ ...known, draft: { object: change(objectOf(known.draft)) } }));
    },
    /** Shows the draft as form in place of text, or the other way. */
    showOther: (): void => step(() => ({ base, draft: draftOf(objectOf(draft), !isForm) })),
    back: (): void => setState({ base, draft }),
    showConflict: (current: JsonObject): void => setState({ base, draft, latest: current }),
    /** Makes the changes of the draft in the object that another writer left. */
    keepMine: (): void =>
      step(() =>
        latest ? { base: latest, draft: draftOf(mergeChanges(base, objectOf(draft), latest), isForm) } : state,
      ),
    discardMine: (): void => {
      if (!latest) return;
      setChanged(false);
      setState({ base: latest, draft: draftOf(latest, isForm) });
    },
  };
}

function draftOf(object: JsonObject, asForm: boolean): Draft {
  return asForm ? { object: withoutManagers(object) } : { text: yamlOf(object) };
}

function objectOf(draft: Draft): JsonObject {
  return 'object' in draft ? draft.object : readYaml(draft.text);
}

/** The text of a draft, as YAML. */
export function textOfDraft(draft: Draft): string {
  return 'text' in draft ? draft.text : yamlOf(draft.object);
}
