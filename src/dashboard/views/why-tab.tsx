import { explainObject } from '../../cli/commands/inspect/why/explain-object.ts';
import { textAt } from '../../cli/commands/inspect/describe/parts/values.ts';
import { sourceOf } from '../server/source-of.ts';
import { useAsync } from '../page/use-async.ts';
import { usePaced } from '../page/use-paced.ts';
import type { ObjectProps } from './object-props.ts';

/** How often they are looked for again: after changes of the object, and without one. */
const pauseMs = 3000;
const againMs = 15_000;

/** The reasons why an object is not as it should be. */
export function WhyTab({ kinds, kind, object }: ObjectProps) {
  const uid = textAt(object, 'metadata.uid');
  const key = usePaced(`${uid} ${textAt(object, 'metadata.resourceVersion')}`, pauseMs, againMs);
  const { value, error } = useAsync((signal) => explainObject(sourceOf(kinds, signal), kind, object), key, uid);
  if (error !== undefined) return <p class="error">{error}</p>;
  if (!value) return <p class="hint">Reading…</p>;
  if (value.length === 0) return <p class="nothing">Nothing was found that is wrong with it.</p>;
  return (
    <ul class="findings">
      {value.map(({ says, next }) => (
        <li key={says}>
          {says}
          <small>{next}</small>
        </li>
      ))}
    </ul>
  );
}
