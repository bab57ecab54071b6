import { useMemo, useState } from 'preact/hooks';
import { errorsAfterMoveUp, errorsAfterRemoval, type FieldErrors } from '../../forms/field-errors.ts';
import { type FieldPath, pathText } from '../../forms/field-path.ts';

const noErrors: FieldErrors = new Map();

/** The errors of a form: those of the server, and texts that are no values. */
interface Errors {
  /** The errors that the server sent last; others replace what is left of them. */
  readonly sent: FieldErrors;
  readonly served: FieldErrors;
  readonly problems: FieldErrors;
}

/** Keeps the errors of a form at their fields while items of lists move and go. */
export function useFieldErrors(sent: FieldErrors = noErrors, onProblems: (count: number) => void = () => {}) {
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
    /** Notes a text that is no value; '' for one that is. */
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
