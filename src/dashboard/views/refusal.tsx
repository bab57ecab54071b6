import { StatusError } from '../../client/error-of-response.ts';
import { messageOf } from '../page/use-async.ts';

/** Fields that are listed. */
const mostFields = 50;

interface RefusalProps {
  readonly failure: unknown;
  /** The line of a field; undefined if the draft is no text, or has no such field. */
  readonly lineOf: (field: string) => number | undefined;
  /** Shows a line of the text. */
  readonly onLine: (line: number) => void;
}

/** Why the server, or the page, refused a text: each field with its error and its line. */
export function Refusal({ failure, lineOf, onLine }: RefusalProps) {
  const causes = failure instanceof StatusError ? (failure.status.details?.causes ?? []) : [];
  const named = causes.filter(({ field }) => field !== undefined && field !== '');
  return (
    <div class="error refusal" role="alert">
      <p>{named.length > 0 ? `The server refuses ${counted(named.length, 'field')}:` : messageOf(failure)}</p>
      {named.length > 0 && (
        <ul>
          {named.slice(0, mostFields).map(({ field = '', message = '' }, index) => {
            const line = lineOf(field);
            return (
              <li key={index}>
                <code>{field}</code>: {message}{' '}
                {line !== undefined && <button onClick={() => onLine(line)}>line {line}</button>}
              </li>
            );
          })}
          {named.length > mostFields && <li>… {named.length - mostFields} more</li>}
        </ul>
      )}
    </div>
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
