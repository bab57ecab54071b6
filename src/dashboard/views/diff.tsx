import { unifiedDiff } from '../../cli/commands/inspect/diff/unified-diff.ts';

/** Lines of a difference that are shown. */
const mostLines = 2000;

const classes: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk' };

/** The difference of two texts. */
export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = unifiedDiff(before, after);
  if (lines.length === 0) return <p class="nothing">No difference.</p>;
  return (
    <pre class="diff" tabIndex={0} aria-label="Difference">
      {lines.slice(0, mostLines).map((line, index) => (
        <div key={index} class={classes[line[0] ?? '']}>
          {line.trimEnd() || ' '}
        </div>
      ))}
      {lines.length > mostLines && <div>… {lines.length - mostLines} more lines</div>}
    </pre>
  );
}
