import type { DiscoveredResource } from '../../../client/discovery.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { type FieldPath, pathText, withItemMovedUp, withValue } from '../../forms/field-path.ts';
import { shapeOf } from '../../forms/field-shape.ts';
import { isLocked } from '../../forms/locked-fields.ts';
import { useAsync } from '../../page/use-async.ts';
import { readKindSchema } from '../../server/read-kind-schema.ts';
import { Fields } from './field.tsx';
import type { FormState } from './form-state.ts';
import { useMemo, useState } from 'preact/hooks';
import { errorsAfterMoveUp, errorsAfterRemoval, type FieldErrors } from '../../forms/field-errors.ts';

interface ObjectFormProps {
  readonly kind: DiscoveredResource;
  readonly object: JsonObject;
  /** Without it the form is only read. */
  readonly edit?: {
    /** True if the object is stored, so that its name stays. */
    readonly exists: boolean;
    /** Errors of the server by the paths of their fields. */
    readonly errors: ReadonlyMap<string, string>;
    readonly onChange: (change: (object: JsonObject) => JsonObject) => void;
    /** The number of fields whose text is no value. */
    readonly onProblems: (count: number) => void;
  };
}

/** An object as a form of its fields, with the descriptions that the server publishes. */
export function ObjectForm({ kind, object, edit }: ObjectFormProps) {
  const key = `${kind.group}/${kind.version}/${kind.kind}`;
  const { value, error, isRead } = useSchema(kind, key);
  const { errors, refuse, removed, movedUp } = useFieldErrors(edit?.errors, edit?.onProblems);
  if (!isRead) return <p class="hint">Reading…</p>;
  const schemas = value?.schemas ?? {};
  const shape = shapeOf(value?.schema ?? {}, schemas);
  const fields = (shape.kind === 'object' ? shape.fields : []).toSorted((one, other) => rankOf(one) - rankOf(other));
  const form: FormState = {
    schemas,
    ...(edit && {
      edit: {
        errors,
        isLocked: (path) => isLocked(path, edit.exists),
        set: (path, next) => edit.onChange((known) => withValue(known, path, next)),
        remove: (path) => {
          edit.onChange((known) => withValue(known, path, undefined));
          removed(path);
        },
        moveUp: (path) => {
          edit.onChange((known) => withItemMovedUp(known, path));
          movedUp(path);
        },
        refuse,
      },
    }),
  };
  return (
    <div class="form">
      {value === undefined && (
        <p class="notice">
          {error === undefined ? 'The server publishes no schema of this kind.' : `The schema was not read: ${error}.`}{' '}
          The fields have no descriptions.
        </p>
      )}
      <Fields form={form} path={[]} fields={{ kind: 'object', fields }} value={object} />
    </div>
  );
}

/** Fields that every object begins with. */
const firstFields = ['apiVersion', 'kind', 'metadata'];

function rankOf({ name }: { readonly name: string }): number {
  const index = firstFields.indexOf(name);
  return index < 0 ? firstFields.length : index;
}

function useSchema(kind: DiscoveredResource, key: string) {
  const { value, error } = useAsync(async (signal) => ({ found: await readKindSchema(kind, signal) }), key);
  return { value: value?.found, error, isRead: value !== undefined || error !== undefined };
}

const noErrors: FieldErrors = new Map();

/** The errors of a form: from the server, and about invalid input. */
interface Errors {
  /** The errors that the server sent last. New ones replace all remaining ones. */
  readonly sent: FieldErrors;
  readonly served: FieldErrors;
  readonly problems: FieldErrors;
}

/** Keeps errors at their fields while list items are moved and removed. */
function useFieldErrors(sent: FieldErrors = noErrors, onProblems: (count: number) => void = () => {}) {
  const [state, setState] = useState<Errors>({ sent, served: sent, problems: noErrors });
  const known = state.sent === sent ? state : { ...state, sent, served: sent };
  const { served, problems } = known;
  const errors = useMemo(() => new Map([...served, ...problems]), [served, problems]);
  const set = (next: Partial<Errors>): void => {
    setState({ ...known, ...next });
    if (next.problems) onProblems(next.problems.size);
  };
  return {
    errors,
    /** Records invalid input in a field; '' if the input is valid. */
    refuse: (path: FieldPath, problem: string): void => {
      const text = pathText(path);
      if (problem === (problems.get(text) ?? '')) return;
      const next = new Map(problems);
      if (problem === '') next.delete(text);
      else next.set(text, problem);
      set({ problems: next });
    },
    removed: (path: FieldPath): void =>
      set({ served: errorsAfterRemoval(served, path), problems: errorsAfterRemoval(problems, path) }),
    movedUp: (path: FieldPath): void =>
      set({ served: errorsAfterMoveUp(served, path), problems: errorsAfterMoveUp(problems, path) }),
  };
}
