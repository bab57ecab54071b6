import { useState } from 'preact/hooks';
import { writerOf } from '../../cli/commands/history/writer-of.ts';
import { changedFields } from '../../cli/commands/history/changed-fields.ts';
import { statesOf } from '../../cli/object-history.ts';
import { textAt } from '../../cli/commands/inspect/describe/parts/values.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { client } from '../server/browser-client.ts';
import { useAsync } from '../page/use-async.ts';
import { yamlOf } from '../page/yaml-text.ts';
import { Diff } from './diff.tsx';
import type { ObjectProps } from './object-props.ts';

/** The states of an object that the store still has, and their differences. */
export function HistoryTab({ kind, namespace, name, object }: ObjectProps) {
  const [chosen, setChosen] = useState<number>();
  const { value: states, error } = useAsync(
    (signal) =>
      statesOf(
        { client, io: { signal } },
        { resource: kind, name, namespace: kind.namespaced ? namespace : undefined },
      ),
    textAt(object, 'metadata.resourceVersion'),
  );
  if (error !== undefined) return <p class="error">{error}</p>;
  if (!states) return <p class="hint">Reading…</p>;
  const at = chosen !== undefined && chosen < states.length ? chosen : states.length - 1;
  // The codec of the client returns JSON values.
  const textOf = (index: number): string => (states[index] ? yamlOf(states[index].object as JsonObject) : '');
  return (
    <div class="history">
      <ol reversed aria-label="Revisions">
        {states
          .map((state, index) => {
            const before = states[index - 1]?.object;
            const fields = changedFields(state, before);
            return (
              <li key={state.revision}>
                <button aria-pressed={index === at} onClick={() => setChosen(index)}>
                  <strong>{state.revision}</strong> {state.change} {writerOf(state, before, fields)}
                  <small>
                    {fields
                      .slice(0, 4)
                      .map((path) => path.join('.'))
                      .join(', ')}
                  </small>
                </button>
              </li>
            );
          })
          .toReversed()}
      </ol>
      <Diff before={textOf(at - 1)} after={textOf(at)} />
    </div>
  );
}
