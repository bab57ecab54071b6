import { useEffect, useRef, useState } from 'preact/hooks';
import { itemsAt, textAt } from '../../cli/commands/inspect/describe/parts/values.ts';
import { defaultContainer } from '../../cli/commands/pods/default-container.ts';
import { readLines } from '../../client/read-lines.ts';
import { annotationsOf } from '../../meta/object-meta.ts';
import { chunksOf } from '../server/chunks-of.ts';
import { objectPath, withQuery } from '../server/paths.ts';
import { send } from '../server/send.ts';
import { messageOf } from '../page/use-async.ts';
import type { ObjectProps } from './object-props.ts';

/** Lines that are asked for. */
const firstLines = 2000;

/** How often new lines are drawn. */
const drawMs = 100;

/** The log of a container of a pod, followed. */
export function LogsTab({ kind, namespace, name, object }: ObjectProps) {
  const containers = ['spec.initContainers', 'spec.containers', 'spec.ephemeralContainers'].flatMap((path) =>
    itemsAt(object, path).map((each) => textAt(each, 'name')),
  );
  const [first = {}] = itemsAt(object, 'spec.containers');
  const named = defaultContainer(annotationsOf(object)) ?? '';
  const [container, setContainer] = useState(containers.includes(named) ? named : textAt(first, 'name'));
  const [text, setText] = useState('');
  const [isEnded, setEnded] = useState(false);
  const [error, setError] = useState('');
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    const lines = new LogLines();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer = undefined;
      if (!stop.signal.aborted) setText(lines.toString());
    };
    setText('');
    setError('');
    setEnded(false);
    const read = async (): Promise<void> => {
      const query = { container, follow: 'true', tailLines: firstLines };
      const path = withQuery(`${objectPath(kind, namespace, name)}/log`, query);
      const response = await send(path, { accept: '*/*', signal: stop.signal });
      for await (const line of readLines(chunksOf(response.body))) {
        lines.add(line.toString());
        timer ??= setTimeout(draw, drawMs);
      }
      if (!stop.signal.aborted) setEnded(true);
    };
    read().catch((failure: unknown) => {
      if (!stop.signal.aborted) setError(messageOf(failure));
    });
    return () => stop.abort();
  }, [namespace, name, container]);
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [text]);
  return (
    <div>
      <div class="bar">
        <label for="container">Container</label>
        <select id="container" value={container} onChange={(event) => setContainer(event.currentTarget.value)}>
          {containers.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
      {error !== '' && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <pre class="log" ref={box} tabIndex={0} role="log" aria-label="Log">
        {text}
      </pre>
      {isEnded && <p class="nothing">The log ended.</p>}
    </div>
  );
}

/** The limits of the shown log: lines and characters. */
const most = { lines: 2000, characters: 2 * 1024 * 1024 };

/** The longest line that is shown in full. */
const longestLine = 32 * 1024;

/** The last lines of a log, within limits. */
class LogLines {
  readonly #lines: string[] = [];
  #characters = 0;

  add(line: string): void {
    const kept = line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
    this.#lines.push(kept);
    this.#characters += kept.length;
    while (this.#lines.length > most.lines || this.#characters > most.characters) {
      this.#characters -= this.#lines.shift()?.length ?? 0;
    }
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}
