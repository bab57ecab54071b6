import { useMemo, useState } from 'preact/hooks';
import { writerOf } from '../../cli/commands/history/writer-of.ts';
import { changedFields } from '../../cli/commands/history/changed-fields.ts';
import { statesOf } from '../../cli/object-history.ts';
import { encodeJson } from '../../codec/encode-json.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { client } from '../server/browser-client.ts';
import { useAsync } from '../page/use-async.ts';
import { yamlOf } from '../page/yaml-text.ts';
import { Diff } from './diff.tsx';
import type { ObjectProps } from './object-props.ts';

/** The most states that are shown, and the most bytes of their objects. */
const most = { states: 200, bytes: 64 * 1024 * 1024 };

/** The states of an object that the store still has, and their differences. */
export function HistoryTab({ kind, namespace, name, object, changes, gaps }: ObjectProps) {
  const [chosen, setChosen] = useState<number>();
  const place = { resource: kind, name, namespace: kind.namespaced ? namespace : undefined };
  // Later changes come from the watch: the history is read once.
  const key = `${kind.group}/${kind.resource}/${namespace}/${name} ${gaps}`;
  const limit = useMemo(() => {
    const fitting = Math.floor(most.bytes / encodeJson(object).length);
    return Math.max(2, Math.min(most.states, fitting));
  }, [key]);
  const { value: past, error } = useAsync((signal) => statesOf({ client, io: { signal } }, place, limit), key);
  const states = useMemo(() => {
    const last = past?.at(-1)?.revision ?? 0;
    return past && [...past, ...changes.filter(({ revision }) => revision > last)].slice(-limit);
  }, [past, changes]);
  const fieldsOf = useMemo(() => states?.map((state, at) => changedFields(state, states[at - 1]?.object)), [states]);
  if (error !== undefined) return <p class="error">{error}</p>;
  if (!states || !fieldsOf) return <p class="hint">Reading…</p>;
  const found = states.findIndex(({ revision }) => revision === chosen);
  const at = found < 0 ? states.length - 1 : found;
  // The codec of the client returns JSON values.
  const textOf = (index: number): string => (states[index] ? yamlOf(states[index].object as JsonObject) : '');
  return (
    <div class="history">
      <ol reversed aria-label="Revisions">
        {states
          .map((state, index) => {
            const before = states[index - 1]?.object;
            const fields = fieldsOf[index] ?? [];
            return (
              <li key={state.revision}>
                <button aria-pressed={index === at} onClick={() => setChosen(state.revision)}>
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
