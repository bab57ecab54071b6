import { useEffect, useState } from 'preact/hooks';
import { StatusError } from '../../../client/error-of-response.ts';
import { addValues, type PanelHistory } from '../../metrics/panel-history.ts';
import { panelFamilies, panels } from '../../metrics/panels.ts';
import { panelValues, type Scrape } from '../../metrics/panel-values.ts';
import { parseMetrics } from '../../metrics/parse-metrics.ts';
import { messageOf } from '../../page/use-async.ts';
import { readText, send } from '../../server/send.ts';

/** How often `/metrics` is read while the page is visible. */
const everyMs = 5000;

/** The largest response that is read. */
const mostBytes = 64 * 1024 * 1024;

/** The metrics as far as they are read. */
interface MetricsState {
  readonly histories: ReadonlyMap<string, PanelHistory>;
  readonly last: Scrape | undefined;
  /** A refusal of the server; nothing more is read then. */
  readonly refusal?: { readonly code: number; readonly message: string };
  /** The error of the last read, which is tried again. */
  readonly error?: string;
}

/** Reads `/metrics` while the page is visible, and keeps the values of the panels. */
export function useMetrics(): MetricsState {
  const [state, setState] = useState<MetricsState>({ histories: new Map(), last: undefined });
  useEffect(() => {
    const stop = new AbortController();
    let isReading = false;
    const read = async (): Promise<void> => {
      if (document.hidden || isReading || stop.signal.aborted) return;
      isReading = true;
      try {
        const response = await send('/metrics', { accept: 'text/plain', signal: stop.signal });
        const text = await readText(response, mostBytes);
        const scrape = { atMs: Date.now(), samples: parseMetrics(text, panelFamilies) };
        setState((known) => withScrape(known, scrape));
      } catch (error) {
        if (stop.signal.aborted) return;
        if (error instanceof StatusError && [403, 404].includes(error.code)) {
          stop.abort();
          const refusal = { code: error.code, message: error.message };
          setState((known) => ({ ...known, refusal }));
        } else setState((known) => ({ ...known, error: messageOf(error) }));
      } finally {
        isReading = false;
      }
    };
    const timer = setInterval(() => void read(), everyMs);
    const onVisible = (): void => void read();
    document.addEventListener('visibilitychange', onVisible);
    stop.signal.addEventListener('abort', () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisible);
    });
    void read();
    return () => stop.abort();
  }, []);
  return state;
}

function withScrape({ histories, last }: MetricsState, scrape: Scrape): MetricsState {
  const next = panels.flatMap((panel) => {
    const values = panelValues(panel, scrape, last);
    return values ? [[panel.id, addValues(histories.get(panel.id), scrape.atMs, values)] as const] : [];
  });
  return { histories: new Map(next), last: scrape };
}
