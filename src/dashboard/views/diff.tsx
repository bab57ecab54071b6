import { useMemo } from 'preact/hooks';
import { unifiedDiff } from '../../cli/commands/inspect/diff/unified-diff.ts';

/** Lines of a difference that are shown. */
const mostLines = 2000;

const classes: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk' };

interface DiffProps {
  readonly before: string;
  readonly after: string;
  readonly label?: string;
}

/** The difference of two texts. */
export function Diff({ before, after, label = 'Difference' }: DiffProps) {
  const lines = useMemo(() => unifiedDiff(before, after), [before, after]);
  if (lines.length === 0) return <p class="nothing">No difference.</p>;
  return (
    <pre class="diff" tabIndex={0} aria-label={label}>
      {lines.slice(0, mostLines).map((line, index) => (
        <div key={index} class={classes[line[0] ?? '']}>
          {line.trimEnd() || ' '}
        </div>
      ))}
      {lines.length > mostLines && <div>… {lines.length - mostLines} more lines</div>}
    </pre>
  );
}
