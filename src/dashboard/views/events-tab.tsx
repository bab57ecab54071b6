import { PlainTable } from '../page/plain-table.tsx';
import { ageSince } from '../../meta/human-duration.ts';
import { textAt } from '../../cli/commands/inspect/describe/parts/values.ts';
import { eventsAbout } from '../../cli/commands/inspect/describe/parts/related.ts';
import { eventRow } from '../page/event-row.ts';
import { sourceOf } from '../server/source-of.ts';
import { useAsync } from '../page/use-async.ts';
import { usePaced } from '../page/use-paced.ts';
import type { ObjectProps } from './object-props.ts';

/** Events that are shown, the latest first. */
const mostEvents = 200;

/** How often they are read again: after changes of the object, and without one. */
const pauseMs = 3000;
const againMs = 10_000;

/** The Events about an object. */
export function EventsTab({ kinds, object }: ObjectProps) {
  const uid = textAt(object, 'metadata.uid');
  const key = usePaced(`${uid} ${textAt(object, 'metadata.resourceVersion')}`, pauseMs, againMs);
  const { value, error } = useAsync(
    async (signal) => {
      const found = await eventsAbout(sourceOf(kinds, signal), object, undefined);
      return (found ?? []).map(eventRow);
    },
    key,
    uid,
  );
  if (error !== undefined) return <p class="error">{error}</p>;
  if (!value) return <p class="hint">Reading…</p>;
  if (value.length === 0) return <p class="nothing">No Events.</p>;
  const rows = value.toSorted((one, other) => other.last.localeCompare(one.last)).slice(0, mostEvents);
  return (
    <PlainTable headings={['Last seen', 'Type', 'Reason', 'Count', 'Message']}>
      {rows.map(({ type, reason, message, count, last }, index) => (
        <tr key={index} class={type === 'Warning' ? 'warning' : undefined}>
          <td>{ageSince(last, Date.now())}</td>
          <td>{type}</td>
          <td>{reason}</td>
          <td>{count}</td>
          <td class="wide">{message}</td>
        </tr>
      ))}
    </PlainTable>
  );
}
