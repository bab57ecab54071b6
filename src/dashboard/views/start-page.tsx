import { PlainTable } from '../page/plain-table.tsx';
import { ageSince } from '../../meta/human-duration.ts';
import { fragmentOf, type Route } from '../page/route.ts';
import { useAsync } from '../page/use-async.ts';
import { usePaced } from '../page/use-paced.ts';
import type { Kinds } from '../server/kinds.ts';
import { newestWarnings } from '../server/newest-warnings.ts';

/** How often the Events are read again. */
const againMs = 30_000;

interface StartPageProps {
  readonly kinds: Kinds;
  readonly route: Route;
}

/** The first page: what went wrong lately in the namespaces that are chosen. */
export function StartPage({ kinds, route }: StartPageProps) {
  const subject = route.namespaces.join(' ');
  const key = usePaced(subject, 0, againMs);
  const { value, error } = useAsync((signal) => newestWarnings(kinds, route.namespaces, signal), key, subject);
  return (
    <section class="start-page" aria-label="Start">
      <p class="nothing">Choose a kind.</p>
      <h1 id="warnings">Newest warnings</h1>
      {error !== undefined && <p class="error">{error}</p>}
      {error === undefined && !value && <p class="hint">Reading…</p>}
      {value?.isCut && <p class="notice">There are more warnings than this page reads. Choose a namespace.</p>}
      {value?.warnings.length === 0 && <p class="nothing">No Event warns.</p>}
      {value && value.warnings.length > 0 && (
        <div class="wide-table" tabIndex={0} role="group" aria-labelledby="warnings">
          <PlainTable headings={['Last seen', 'Reason', 'Object', 'Message', 'Namespace', 'Count']}>
            {value.warnings.map(({ last, namespace, reason, count, message, ...of }, index) => (
              <tr key={index}>
                <td>{ageSince(last, Date.now())}</td>
                <td class="warning">{reason}</td>
                <td class="wide">
                  <Subject {...of} namespaces={route.namespaces} />
                </td>
                <td class="wide">{message}</td>
                <td>{namespace}</td>
                <td>{count}</td>
              </tr>
            ))}
          </PlainTable>
        </div>
      )}
    </section>
  );
}

interface SubjectProps {
  readonly kind: string;
  readonly group: string;
  /** '' if the server has no such kind. */
  readonly resource: string;
  readonly subjectNamespace: string;
  readonly name: string;
  readonly namespaces: readonly string[];
}

/** The object of an Event, as a link to its Events. */
function Subject({ kind, group, resource, subjectNamespace, name, namespaces }: SubjectProps) {
  const text = `${kind} ${name}`;
  if (resource === '' || name === '') return <>{text}</>;
  const route = {
    page: 'kind',
    group,
    resource,
    namespace: subjectNamespace,
    name,
    tab: 'events',
    namespaces,
  } as const;
  return <a href={fragmentOf(route)}>{text}</a>;
}
